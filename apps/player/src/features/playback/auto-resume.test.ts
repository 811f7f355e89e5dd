import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createEventBus } from '@manara/kit/event-bus'
import type { PlayerEvents } from '@manara/player-contract/events'
import { createManualClock } from '../../testing/manual-clock.ts'
import { playerFixture } from '../../testing/player-fixture.ts'
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
        async resumeInterrupted() {
          resumed.push(`after ${choices} choices`)
        },
      },
      ...{ events, clock: createManualClock(), log: { info: assert.fail } },
      isOutputThere: async () => true,
    })
  for (const choices of [0, 1]) await resumeAfter(choices)
  assert.deepEqual(resumed, ['after 0 choices'])
})

test('nor is what was chosen a moment before, and has not had its turn', async (t) => {
  const first = await playerFixture(t)
  await first.post('/playback/play', { path: 'Husary/002.mp3' })
  await first.close()
  const { audio, box, clock, events } = await playerFixture(t, { dataDir: first.dataDir })
  assert.equal(box.player.wasInterrupted(), true)

  const path = 'Husary/001.mp3'
  const chosen = box.player.play({ kind: 'file', path, reciter: 'Husary', surah_number: 1 })
  const end = await autoResume({
    ...{ player: box.player, events, clock, log: { info: () => {} } },
    isOutputThere: async () => true,
  })
  t.after(end)
  await chosen
  await box.player.settled()
  assert.deepEqual([box.player.status().track, audio.loaded.length], [path, 1])
})
