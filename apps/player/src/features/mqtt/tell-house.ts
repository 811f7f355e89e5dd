import type { Logger } from '@manara/kit/logging'
import type { ModeBody } from '@manara/player-contract/mode'
import type { PlaybackStatus } from '@manara/player-contract/playback'
import type { PrayerStatus } from '@manara/player-contract/prayer'
import type { Target } from '@manara/player-contract/target'
import type { Clock } from '../../ports/clock.ts'
import type { BrokerSession, OpenBroker } from '../../ports/message-broker.ts'
import { type MqttCommand, readCommand } from './domain/command.ts'
import { type DeviceDescription, discoveryOf, discoveryTopic } from './domain/home-assistant.ts'
import { toldState } from './domain/told-state.ts'

export type HouseDeps = {
  openBroker: OpenBroker
  clock: Clock
  log: Pick<Logger, 'warn'>
  device(): DeviceDescription
  discoveryPrefix: string
  playback(): PlaybackStatus
  prayer(): PrayerStatus
  playTarget(target: Target): Promise<void>
  stopAdhan(): Promise<unknown>
  setVolume(volume: number): Promise<unknown>
  setMode(mode: ModeBody): Promise<unknown>
  reportProblem(problem: string | undefined): void
}

// Several events belong to one change; the house is told once.
const GATHER_MS = 100

/** The box as others in the house see it: its state kept at the broker, and the commands they send. */
export function createHouse(deps: HouseDeps) {
  const { base } = deps.device()
  let session: BrokerSession | undefined
  let told = ''
  let endWait: (() => void) | undefined
  let work: Promise<unknown> = Promise.resolve()

  const publish = (topic: string, payload: string) =>
    session
      ?.publish(topic, payload, { retain: true })
      .catch((error) => deps.log.warn({ err: error, topic }, 'not told to the broker'))

  function tellState() {
    endWait = undefined
    const state = JSON.stringify(toldState(deps.playback(), deps.prayer()))
    if (state === told) return
    told = state
    void publish(`${base}/state`, state)
  }

  function introduce() {
    const device = deps.device()
    void publish(
      discoveryTopic(deps.discoveryPrefix, device.id),
      JSON.stringify(discoveryOf(device)),
    )
    void publish(`${base}/availability`, 'online')
    told = ''
    tellState()
  }

  function hear(topic: string, payload: string) {
    const command = readCommand(topic.slice(`${base}/command/`.length), payload)
    if (!command) return deps.log.warn({ topic }, 'not a command')
    work = work
      .then(() => obey(deps, command))
      .catch((error) => deps.log.warn({ err: error, topic }, 'a command came to nothing'))
  }

  return {
    async start() {
      session = await deps.openBroker({
        will: { topic: `${base}/availability`, payload: 'offline' },
        subscribe: [`${base}/command/+`],
        // After this turn, when the session is known here too.
        onConnect: () => queueMicrotask(introduce),
        onMessage: ({ topic, payload }) => hear(topic, payload),
        onProblem: deps.reportProblem,
      })
    },

    /** Something may have changed. */
    changed() {
      endWait ??= deps.clock.after(GATHER_MS, tellState)
    },

    settled: () => work,

    async stop() {
      endWait?.()
      await session?.close()
    },
  }
}

async function obey(deps: HouseDeps, command: MqttCommand): Promise<unknown> {
  switch (command.do) {
    case 'volume':
      return deps.setVolume(command.volume)
    case 'mode':
      return deps.setMode(command.mode)
    case 'stop_adhan':
      return deps.stopAdhan()
    case 'play_pause': {
      const isOn = ['playing', 'buffering'].includes(deps.playback().state)
      return deps.playTarget({ type: 'action', action: isOn ? 'pause' : 'resume' })
    }
    default:
      return deps.playTarget({ type: 'action', action: command.do })
  }
}
