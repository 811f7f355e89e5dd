import { randomBytes } from 'node:crypto'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import type { TestContext } from 'node:test'
import { createEventBus } from '@manara/kit/event-bus'
import { closeHttp } from '@manara/kit/http'
import { createLogger } from '@manara/kit/logging'
import { endWith } from '@manara/kit/testing/end-with'
import type { PlayerEvents } from '@manara/player-contract/events'
import { createCanvasPainter } from '../adapters/canvas-screen.ts'
import { createCard } from '../adapters/card-library.ts'
import { openDeviceBroker } from '../adapters/device-broker.ts'
import { measureSound } from '../adapters/measure-sound.ts'
import { probeAudio } from '../adapters/probe-audio.ts'
import { createSocClient } from '../adapters/soc-client.ts'
import { createSoundOutputs } from '../adapters/sound-outputs.ts'
import { createStationProbe } from '../adapters/station-probe.ts'
import { createSysfsBoard } from '../adapters/sysfs-board.ts'
import { certificateRequest } from '../adapters/x509/request.ts'
import { buildApp } from '../app.ts'
import type { ButtonParts } from '../compose/buttons.ts'
import type { HouseParts } from '../compose/house.ts'
import { composeNetwork, type NetworkParts } from '../compose/network.ts'
import { composePlayer } from '../compose/player.ts'
import type { SocParts } from '../compose/soc.ts'
import type { UpdateParts } from '../compose/updates.ts'
import { openStore } from '../db/open-store.ts'
import type { PairingDeps } from '../features/pairing/pairing.ts'
import { createProblems } from '../features/system/problems.ts'
import { serveLive } from '../http/live.ts'
import type { AudioOutput } from '../ports/audio-output.ts'
import type { Card } from '../ports/card.ts'
import type { Panel } from '../ports/screen.ts'
import type { MeasureSound } from '../ports/sound-levels.ts'
import { putTree } from './fake-tree.ts'
import { createManualClock } from './manual-clock.ts'
import { createManualReader } from './manual-reader.ts'
import { createManualWallClock } from './manual-wall-clock.ts'
import { createSimAudio } from './sim-audio.ts'
import { createSimWifi } from './sim-wifi.ts'

export const TOKEN = 'ab'.repeat(32)

/** Card files by path; their content does not matter to the simulated engine. */
export type FixtureOptions = {
  files?: string[]
  /** How long the simulated engine says a file is. */
  duration_ms?: number
  dataDir?: string
  /** The card of a box before this one. */
  cardDir?: string
  /** Something is the matter with the card, or with the engine. */
  spoil?: { card?(card: Card): Card; audio?(output: AudioOutput): AudioOutput }
  clock?: ReturnType<typeof createManualClock>
  wall?: ReturnType<typeof createManualWallClock>
  /** Files of the kernel by path: the board. */
  sysfs?: Record<string, string>
  /** The box has a screen. */
  panel?: Panel
  /** UID of the card that lies on the reader when the box is switched on. */
  cardOnReader?: string
  updates?: Partial<UpdateParts>
  soc?: Partial<SocParts>
  /** The box encrypts by itself. */
  authority?: { pem: string; fingerprint: string }
  pairing?: Partial<PairingDeps>
  network?: Partial<NetworkParts>
  buttons?: ButtonParts
  house?: HouseParts
  measure?: MeasureSound
  /** The box has found no device for sound. */
  findDevice?: () => boolean
  uploadLimits?: { file: number; total: number }
  /** The folder of the dashboard's files; a page without anything in it unless told. */
  dashboard?: string
  /** Takes every line of the log. */
  logTo?: string[]
}

/** The whole service in process, on a real store and a real card folder, with simulated sound and time. */
export async function playerFixture(
  t: Pick<TestContext, 'after' | 'diagnostic'>,
  options: FixtureOptions = {},
) {
  const root = mkdtempSync(path.join(tmpdir(), 'player-'))
  const cardDir = options.cardDir ?? path.join(root, 'card')
  const dataDir = options.dataDir ?? path.join(root, 'data')
  for (const file of options.files ?? ['Husary/001.mp3', 'Husary/002.mp3', 'Husary/114.mp3']) {
    putFile(cardDir, file)
  }
  mkdirSync(cardDir, { recursive: true })
  mkdirSync(dataDir, { recursive: true })

  const { duration_ms = 60_000, spoil = {} } = options
  const card = createCard(cardDir)
  const audio = createSimAudio({ duration_ms })
  const clock = options.clock ?? createManualClock()
  const wall = options.wall ?? createManualWallClock(clock)
  const sysfs = path.join(root, 'sysfs')
  putTree(sysfs, options.sysfs ?? {})
  // One page: each of the hundred files of the real one is a route, which takes its time.
  const emptyPage = path.join(root, 'dashboard')
  putTree(emptyPage, { 'index.html': '<!doctype html>' })
  const wifi = createSimWifi()
  const reader = createManualReader(options.cardOnReader)
  const clients = { count: 0 }
  let token = TOKEN
  /** What was asked of those who start the service. */
  const restarts: string[] = []
  const events = createEventBus<PlayerEvents>((error) => {
    throw error
  })
  const seen: { event: string; data: unknown }[] = []
  events.onAny((message) => seen.push(message))
  const db = openStore(dataDir)
  const log = createLogger({
    service: 'player',
    level: options.logTo ? 'debug' : 'silent',
    pretty: false,
    write: (line) => options.logTo?.push(line),
  })
  const box = composePlayer({
    audio: spoil.audio?.(audio.output) ?? audio.output,
    findDevice: options.findDevice,
    outputs: createSoundOutputs(sysfs, async () => ({ code: 0, stdout: '', stderr: '' })),
    card: spoil.card?.(card) ?? card,
    clock,
    wall,
    board: createSysfsBoard(sysfs, async () => ({ code: 0, stdout: '', stderr: '' })),
    wifi: wifi.port,
    openPainter: createCanvasPainter(),
    panel: options.panel,
    problems: createProblems(options.findDevice && [{ component: 'audio', error: 'no device' }]),
    reader: reader.port,
    probeStation: createStationProbe(audio.output.engine),
    machineName: 'player',
    dashboardCount: () => clients.count + live.dashboardCount(),
    pairing: {
      isWanted: false,
      machineUptime: () => 3_600,
      address: () => 'https://player.local:8443',
      token: () => token,
      ...options.pairing,
    },
    db,
    events,
    log,
    buttons: options.buttons,
    house: options.house,
    library: {
      playable: ['mp3', 'flac', 'wav'],
      measure: options.measure ?? measureSound,
      uploads: {
        limits: options.uploadLimits ?? { file: 2 ** 30, total: 2 ** 32 },
        probe: probeAudio,
        newId: () => randomBytes(12).toString('hex'),
      },
    },
    soc: {
      client: createSocClient(),
      openBroker: openDeviceBroker,
      certificateRequest,
      versionRoot: path.join(root, 'version'),
      ...options.soc,
    },
    updates: {
      updatesDir: path.join(dataDir, 'updates'),
      keysFile: path.join(dataDir, 'updates/trusted-keys.pem'),
      slot: 'factory',
      source: { open: () => Promise.reject(new Error('there is no network here')) },
      limit: 4 * 2 ** 20,
      confirmAfterMs: 30_000,
      whyUnreachable: async () => undefined,
      restart: () => restarts.push('launcher'),
      ...options.updates,
    },
    reset: {
      useToken(fresh) {
        token = fresh
      },
      restart: () => restarts.push('box'),
    },
    version: '0.0.0',
    dataDir,
    uptime: () => 1,
  })
  const { callers } = composeNetwork({
    hostnames: () => [box.hostname()],
    interfaces: () => ({}),
    origins: [],
    trustedProxies: [],
    ...options.network,
  })
  const app = await buildApp({
    callers,
    trust: { authority: options.authority, language: box.language, hostname: box.hostname },
    version: '0.0.0',
    token: () => token,
    onTokenFailure: box.tokenFailure,
    logger: log,
    areas: box.areas,
    dashboard: options.dashboard ?? emptyPage,
  })
  const live = serveLive(app.server, {
    events,
    clock,
    ...callers,
    snapshot: box.snapshot,
    onError: (error) => t.diagnostic(String(error)),
  })
  await box.start()

  async function close() {
    live.close()
    await closeHttp(app, 0)
    await box.stop()
    if (db.isOpen) db.close()
  }
  endWith(t, async () => {
    await close()
    rmSync(root, { recursive: true, force: true })
  })

  return {
    app,
    live,
    audio,
    clock,
    wall,
    wifi,
    reader,
    sysfs,
    clients,
    restarts,
    token: () => token,
    box,
    events,
    seen,
    db,
    cardDir,
    dataDir,
    close,
    /** Resolves when what the engine has reported so far has been dealt with. */
    settled: () => box.settled(),
    next: (name: keyof PlayerEvents) =>
      new Promise<unknown>((resolve) => {
        const end = events.on(name, (data) => {
          end()
          resolve(data)
        })
      }),
    /** Names of the events since the last call. */
    news: () => seen.splice(0).map(({ event }) => event),
    get: (url: string) => app.inject({ method: 'GET', url: `/api${url}` }),
    post: (url: string, payload?: object | string, token = TOKEN) =>
      app.inject({
        method: 'POST',
        url: `/api${url}`,
        headers: {
          authorization: `Bearer ${token}`,
          ...(payload === undefined ? {} : { 'content-type': 'application/json' }),
        },
        ...(payload === undefined ? {} : { payload }),
      }),
    patch: (url: string, payload: object) =>
      app.inject({
        method: 'PATCH',
        url: `/api${url}`,
        payload,
        headers: { authorization: `Bearer ${TOKEN}` },
      }),
    del: (url: string) =>
      app.inject({
        method: 'DELETE',
        url: `/api${url}`,
        headers: { authorization: `Bearer ${TOKEN}` },
      }),
    putFile: (file: string) => putFile(cardDir, file),
  }
}

function putFile(cardDir: string, file: string) {
  const target = path.join(cardDir, file)
  mkdirSync(path.dirname(target), { recursive: true })
  writeFileSync(target, '')
}
