import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createEventBus } from '@manara/kit/event-bus'
import type { PlayerEvents } from '@manara/player-contract/events'
import { createManualClock } from '../../testing/manual-clock.ts'
import { autoResume } from './auto-resume.ts'

test('what somebody has chosen while the box was still starting is not replaced by what a power cut interrupted', async () => {
  const resumed: string[] = []
  const events = createEventBus<PlayerEvents>((error) => {
    throw error
  })
  const resumeAfter = (choices: number) =>
    autoResume({
      player: {
        choices: () => choices,
        isAnnouncing: () => false,
        wasInterrupted: () => true,
        async resumeSaved() {
          resumed.push(`after ${choices} choices`)
          return {} as never
        },
      },
      ...{ events, clock: createManualClock(), log: { info: assert.fail } },
      isOutputThere: async () => true,
    })
  for (const choices of [0, 1]) await resumeAfter(choices)
  assert.deepEqual(resumed, ['after 0 choices'])
})
