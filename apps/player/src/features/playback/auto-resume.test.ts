import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
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

/** A box after a power cut, and what makes it go on. */
async function interrupted(t: TestContext) {
  const first = await playerFixture(t)
  await first.post('/playback/play', { path: 'Husary/002.mp3' })
  await first.close()
  const { audio, box, clock, events } = await playerFixture(t, { dataDir: first.dataDir })
  const { player } = box
  assert.equal(player.wasInterrupted(), true)
  const deps = { player, events, clock, log: { info: () => {} }, isOutputThere: async () => true }
  return { audio, player, goOn: async () => t.after(await autoResume(deps)) }
}

test('nor is what was chosen a moment before, and has not had its turn', async (t) => {
  const { audio, player, goOn } = await interrupted(t)
  const path = 'Husary/001.mp3'
  const chosen = player.play({ kind: 'file', path, reciter: 'Husary', surah_number: 1 })
  await goOn()
  await chosen
  await player.settled()
  assert.deepEqual([player.status().track, audio.loaded.length], [path, 1])
})

for (const isWaitedFor of [true, false]) {
  test(`who stops it before it has gone on is not played to, ${isWaitedFor ? 'long' : 'a moment'} before`, async (t) => {
    const { audio, player, goOn } = await interrupted(t)
    const stopped = player.command({ type: 'stop' })
    if (isWaitedFor) await stopped
    await goOn()
    await stopped
    await player.settled()
    assert.deepEqual(audio.loaded, [])
    assert.equal(player.wasInterrupted(), false, 'nor after the next power cut')
    await player.resumeSaved()
    assert.equal(player.status().track, 'Husary/002.mp3', 'the place is kept')
  })
}
