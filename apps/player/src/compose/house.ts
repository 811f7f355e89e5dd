import type { PrayerStatus } from '@manara/player-contract/prayer'
import type { Target } from '@manara/player-contract/target'
import { createHouse } from '../features/mqtt/tell-house.ts'
import type { Player } from '../features/playback/player.ts'
import type { OpenBroker } from '../ports/message-broker.ts'
import type { Outside } from './area.ts'

export type HouseParts = {
  openBroker: OpenBroker
  /** Stays the same for the life of the box. */
  id: string
  /** Topics begin with it. */
  topic: string
  discoveryPrefix: string
}

type HouseNeeds = {
  player: Player
  prayer(): PrayerStatus
  hostname(): string
  playTarget(target: Target): Promise<void>
}

/** The broker of the house, where one was named. */
export function composeHouse(
  { clock, events, log, problems, version }: Outside,
  parts: HouseParts | undefined,
  { player, prayer, hostname, playTarget }: HouseNeeds,
) {
  const house =
    parts &&
    createHouse({
      ...{ clock, log, prayer, playTarget },
      openBroker: parts.openBroker,
      discoveryPrefix: parts.discoveryPrefix,
      device: () => ({
        ...{ id: parts.id, name: hostname(), version },
        base: `${parts.topic}/${parts.id}`,
      }),
      playback: player.status,
      stopAdhan: player.stopAdhan,
      setVolume: player.setVolume,
      setMode: player.setMode,
      reportProblem: (problem) => problems.report('mqtt', problem),
    })
  const ends: (() => void)[] = []

  return {
    routes() {},
    async start() {
      if (!house) return
      for (const event of ['playback', 'volume', 'mode', 'prayer', 'adhan'] as const) {
        ends.push(events.on(event, house.changed))
      }
      await house.start()
    },
    settled: () => house?.settled(),
    async stop() {
      for (const end of ends.splice(0)) end()
      await house?.stop()
    },
  }
}
