import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Snapshot } from '@manara/player-contract/events'
import { createBox } from './box.ts'

const PLAYBACK = {
  state: 'playing',
  mode: 'file',
  position: 1_000,
  duration: 60_000,
  volume: 40,
  advance_mode: 'off',
} as Snapshot['playback']
const SNAPSHOT = { playback: PLAYBACK, settings: { time: 1_000 } } as unknown as Snapshot

function heard() {
  const box = createBox(() => 5_000)
  box.hear({ event: 'snapshot', data: SNAPSHOT })
  return box
}

test('events are laid over the snapshot', () => {
  const box = heard()
  box.hear({ event: 'progress', data: { position: 2_000, duration: 60_000 } })
  box.hear({ event: 'volume', data: { volume: 55 } })
  assert.equal(box.playback.value?.position, 2_000)
  assert.equal(box.playback.value?.volume, 55)
  assert.equal(box.playback.value?.state, 'playing')
})

test('a mode without memorising takes the beads away', () => {
  const box = heard()
  const hifz = { repeat_done: 0, repeat_target: 3, pause_s: 5, waiting: false }
  box.hear({ event: 'mode', data: { mode: 'hifz_repeat', advance_mode: 'hifz_repeat', hifz } })
  assert.equal(box.playback.value?.hifz?.repeat_target, 3)
  box.hear({ event: 'mode', data: { mode: 'off', advance_mode: 'off' } })
  assert.equal(box.playback.value?.hifz, undefined)
})

test('a new snapshot replaces everything: nothing old survives a restart', () => {
  const box = heard()
  box.hear({ event: 'stations', data: { stations: [{ id: 1 }] } })
  box.hear({ event: 'snapshot', data: SNAPSHOT })
  assert.equal(box.stations.value, undefined)
})

test('a page that has outlived an update of the box is told so, by what it hears alone', () => {
  const snapshot = (version: string) => ({ ...SNAPSHOT, system: { version } }) as Snapshot
  const box = createBox(() => 5_000)
  box.restore({ state: snapshot('1.0'), heardAt: 1, ahead: 0 })
  box.hear({ event: 'snapshot', data: snapshot('1.1') })
  box.hear({ event: 'snapshot', data: snapshot('1.1') })
  assert.equal(box.isUpdated.value, false)
  box.hear({ event: 'snapshot', data: snapshot('1.2') })
  assert.equal(box.isUpdated.value, true)
})

test('what is asked for apart is asked for again after a link that was lost', () => {
  const box = heard()
  const counts = () =>
    [box.libraryChanged, box.cardsChanged, box.hifzChanged, box.versesChanged].map(
      ({ value }) => value,
    )
  assert.deepEqual(counts(), [1, 0, 0, 0])
  box.hear({ event: 'snapshot', data: SNAPSHOT })
  assert.deepEqual(counts(), [2, 1, 1, 1])
})

test('the silence ends when the box said, whatever else it says meanwhile', () => {
  let now = 0
  const box = createBox(() => now)
  const hifz = { repeat_done: 1, repeat_target: 3, pause_s: 30, waiting: true, gap_ms: 30_000 }
  box.hear({ event: 'snapshot', data: { ...SNAPSHOT, playback: { ...PLAYBACK, hifz } } })
  assert.equal(box.gapEndsAt.value, 30_000)
  now = 12_000
  box.hear({ event: 'volume', data: { volume: 55 } })
  assert.equal(box.gapEndsAt.value, 30_000)
  box.hear({ event: 'playback', data: { ...PLAYBACK, hifz: { ...hifz, gap_ms: 18_000 } } })
  assert.equal(box.gapEndsAt.value, 30_000)
  box.hear({ event: 'playback', data: { ...PLAYBACK, hifz: { ...hifz, waiting: false } } })
  assert.equal(box.gapEndsAt.value, null)
})

test('time is told by the clock of the box, whatever the phone believes', () => {
  const box = heard()
  assert.equal(box.secondsNow(5_000), 1_000)
  assert.equal(box.secondsNow(15_000), 1_010)
})

test('an event that is not known changes nothing', () => {
  const box = heard()
  box.hear({ event: 'from the future', data: 1 })
  assert.deepEqual(box.playback.value, PLAYBACK)
})

test('what was kept is shown only until the box speaks', () => {
  const kept = heard().keepable()
  const fresh = createBox(() => 9_000)
  fresh.restore(kept)
  assert.equal(fresh.heardAt.value, 5_000)
  assert.equal(fresh.playback.value?.volume, 40)
  const live = heard()
  live.restore({ ...kept, heardAt: 1 })
  assert.equal(live.heardAt.value, 5_000)
})
