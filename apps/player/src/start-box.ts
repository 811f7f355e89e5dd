import { randomBytes } from 'node:crypto'
import { mkdirSync } from 'node:fs'
import type { AddressInfo } from 'node:net'
import { hostname, networkInterfaces, uptime } from 'node:os'
import { createEventBus } from '@manara/kit/event-bus'
import { closeHttp } from '@manara/kit/http'
import { createLogger } from '@manara/kit/logging'
import type { PlayerEvents } from '@manara/player-contract/events'
import manifest from '../package.json' with { type: 'json' }
import { createAudioOutput } from './adapters/audio-output.ts'
import { createCanvasPainter } from './adapters/canvas-screen.ts'
import { createCard } from './adapters/card-library.ts'
import { openDeviceBroker } from './adapters/device-broker.ts'
import { createEvdevButtons } from './adapters/evdev-buttons.ts'
import { openFramebuffer } from './adapters/framebuffer.ts'
import { isSeenByOthers } from './adapters/mdns.ts'
import { measureSound } from './adapters/measure-sound.ts'
import { createNfcReader } from './adapters/nfc-reader.ts'
import { probeAudio } from './adapters/probe-audio.ts'
import { createSocClient } from './adapters/soc-client.ts'
import { createStationProbe } from './adapters/station-probe.ts'
import { systemClock } from './adapters/system-clock.ts'
import { openThisMachine } from './adapters/this-machine.ts'
import { certificateRequest } from './adapters/x509/request.ts'
import { buildApp } from './app.ts'
import { composeNetwork } from './compose/network.ts'
import { composePlayer } from './compose/player.ts'
import type { Config } from './config.ts'
import { createVouchedTimeStore } from './features/settings/vouched-time.store.ts'
import { versionRoot } from './features/soc/measure-version.ts'
import { deviceToken } from './features/system/device-token.ts'
import { createProblems, type Problems } from './features/system/problems.ts'
import { finishReset } from './features/system/unfinished-reset.ts'
import { dashboardAddress } from './http/dashboard-address.ts'
import { serveLive } from './http/live.ts'
import { openData } from './start-data.ts'
import { encryptionOf } from './start-encryption.ts'
import { houseOf } from './start-house.ts'
import { announceName } from './start-mdns.ts'
import { updatesOf } from './start-updates.ts'

/**
 * Opens the adapters, starts everything in order, and stops in the opposite order. `renew` is called
 * after a factory reset: everything is to be stopped and started again, which ends the reset.
 */
export async function startBox(given: Config, renew: () => void) {
  const log = createLogger({ service: 'player', level: given.logLevel, pretty: given.prettyLog })
  for (const warning of given.warnings) log.warn(warning)
  await using undo = new AsyncDisposableStack()

  const { dataDir, db, lost, problem: fullDisk, release } = openData(given.dataDir)
  undo.defer(release)
  if (fullDisk) log.error(fullDisk)
  for (const problem of lost) log.error(problem)
  const config = { ...given, dataDir }
  const isReset = finishReset(db, config.dataDir)
  const { token: kept, isNew } = deviceToken(db)
  let token = kept
  log.hideSecret(token)
  const {
    output: audio,
    fallbacks,
    findDevice,
  } = await createAudioOutput({
    engine: config.audio,
    sink: config.sink,
  })
  undo.defer(() => audio.close())

  const machine = await openThisMachine({
    root: config.sysfs,
    searchPath: config.searchPath,
    trustHostClock: config.trustHostClock,
    clock: systemClock,
    memory: createVouchedTimeStore(db),
    log,
  })
  await machine.wall.start()
  undo.defer(() => machine.wall.stop())

  const problems = createProblems(fallbacks.map((error) => ({ component: 'audio', error })))
  problems.report('data', fullDisk)
  for (const problem of lost) problems.add('data', problem)
  try {
    // So that a person on a fresh machine finds where recitations go.
    mkdirSync(config.cardDir, { recursive: true })
  } catch (error) {
    problems.report('card', (error as Error).message)
  }
  const panel = await openPanel(config, problems)
  let dashboardCount = () => 0
  let listening = config.port
  const events = createEventBus<PlayerEvents>((error) => log.error({ err: error }, 'listener'))
  const box = composePlayer({
    audio,
    buttons: config.buttons && {
      map: config.buttons,
      buttons: createEvdevButtons({ devices: config.buttons.keys(), clock: systemClock }),
    },
    house: config.mqtt && houseOf(config.mqtt, config.dataDir),
    library: {
      playable: PLAYABLE[audio.engine],
      measure: measureSound,
      uploads: {
        limits: { file: config.uploadLimit, total: config.uploadTotal },
        probe: probeAudio,
        newId: () => randomBytes(12).toString('hex'),
      },
    },
    ...{ events, db, findDevice, log, panel, problems },
    probeStation: createStationProbe(audio.engine),
    ...machine,
    version: manifest.version,
    dataDir: config.dataDir,
    uptime: process.uptime,
    openPainter: createCanvasPainter(),
    clock: systemClock,
    card: createCard(config.cardDir),
    reader: createNfcReader({
      choice: config.nfc,
      dataDir: config.dataDir,
      searchPath: config.searchPath,
      clock: systemClock,
    }),
    machineName: hostname(),
    dashboardCount: () => dashboardCount(),
    pairing: {
      isWanted: config.pairOnScreen,
      machineUptime: uptime,
      address: () => dashboardAddress(config, listening, box.hostname(), own.addresses()),
      token: () => token,
    },
    soc: {
      client: createSocClient(),
      openBroker: openDeviceBroker,
      certificateRequest,
      versionRoot: versionRoot(),
    },
    updates: updatesOf(config, manifest.version, {
      port: () => listening,
      token: () => token,
    }),
    reset: {
      problem: fullDisk,
      useToken(fresh) {
        token = fresh
        log.hideSecret(token)
        process.stdout.write(`device token: ${token}\n`)
      },
      restart: renew,
    },
  })
  undo.defer(() => box.stop())

  const { callers, own } = composeNetwork({
    hostnames: () => [box.hostname(), hostname()],
    interfaces: networkInterfaces,
    origins: config.origins,
    trustedProxies: config.trustedProxies,
  })
  const encryption = encryptionOf(config, { own, wall: machine.wall, events, problems })
  const http = await buildApp({
    callers,
    trust: { authority: encryption?.authority, language: box.language, hostname: box.hostname },
    version: manifest.version,
    token: () => token,
    onTokenFailure: box.tokenFailure,
    logger: log,
    tls: encryption?.certificate,
    areas: box.areas,
  })
  undo.defer(() => closeHttp(http, 1_000))
  if (encryption) undo.defer(encryption.keep(http))
  const live = serveLive(http.server, {
    events,
    clock: systemClock,
    ...callers,
    snapshot: box.snapshot,
    onError: (error) => log.error({ err: error }, 'live'),
  })
  dashboardCount = live.dashboardCount
  undo.defer(() => live.close())
  const address = await http.listen({ host: config.host, port: config.port })
  listening = (http.server.address() as AddressInfo).port
  await box.start()
  if (config.mdns && isSeenByOthers(config.host)) {
    const mdns = {
      port: listening,
      tls: config.tls,
      version: manifest.version,
      addresses: own.addresses,
      onProblem: (problem: string | undefined) => problems.report('mdns', problem),
    }
    undo.defer(announceName(mdns, box.hostname, events))
  }

  const running = undo.move()
  return {
    port: listening,
    banner: [
      // No interface has an address before the network is up.
      `player    ${address ?? `${config.tls ? 'https' : 'http'}://localhost:${listening}`}`,
      `          card ${config.cardDir}, data in ${given.dataDir}`,
      isNew || isReset
        ? `device token: ${token}`
        : '          device token: printed at first boot; `npm run player:token` shows it again',
    ],
    stop: () => running.disposeAsync(),
  }
}

async function openPanel({ sysfs, screen, pairOnScreen }: Config, problems: Problems) {
  const panel = await openFramebuffer({ root: sysfs, wanted: screen }).catch((error: Error) => {
    problems.add('screen', error.message)
    return undefined
  })
  if (pairOnScreen && !panel) problems.add('pairing', 'there is no screen to show the code on')
  return panel
}

const EVERYWHERE = ['mp3', 'wav', 'flac', 'ogg', 'oga', 'opus']
const PLAYABLE = { embedded: EVERYWHERE, mpv: [...EVERYWHERE, 'm4a', 'm4b', 'aac', 'wma'] }
