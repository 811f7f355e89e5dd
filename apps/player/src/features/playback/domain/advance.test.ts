import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type Advance, advanceOf, followUp } from './advance.ts'
import type { FileTrack } from './track.ts'
import { NO_BOOK } from './verse-clips.ts'

const track = (surah_number: number): FileTrack => ({
  kind: 'file',
  path: `R/${surah_number}.mp3`,
  reciter: 'R',
  surah_number,
})
const shelfOf =
  (...numbers: number[]) =>
  (_reciter: string, surah: number) =>
    numbers.includes(surah) ? track(surah) : undefined
const around = (...numbers: number[]) => ({
  shelf: shelfOf(...numbers),
  book: NO_BOOK,
  speed: 100,
})

const repeat = (repeat_target: number, pause_s = 0): Advance => ({
  mode: 'hifz_repeat',
  repeat_target,
  pause_s,
})
const range = (ab_start: number, ab_end: number, repeat_target = 2, pause_s = 5): Advance => ({
  mode: 'hifz_ab',
  repeat_target,
  pause_s,
  ab_start,
  ab_end,
})

type Row = [
  what: string,
  advance: Advance,
  ended: number,
  done: number,
  shelf: number[],
  expected: 'stop' | number,
  gap_s: number,
  repeat_done: number,
]

const ROWS: Row[] = [
  ['off stops', { mode: 'off' }, 1, 0, [1, 2], 'stop', 0, 0],
  ['continuous goes on', { mode: 'continuous' }, 1, 0, [1, 2], 2, 0, 0],
  ['continuous skips what is missing', { mode: 'continuous' }, 1, 0, [1, 7], 7, 0, 0],
  ['continuous stops after the last', { mode: 'continuous' }, 114, 0, [1, 114], 'stop', 0, 0],
  [
    'continuous does not repeat a file that is no surah',
    { mode: 'continuous' },
    0,
    0,
    [1],
    'stop',
    0,
    0,
  ],
  ['repeat_one plays it again', { mode: 'repeat_one' }, 3, 0, [3], 3, 0, 0],
  ['hifz_repeat counts and waits', repeat(3, 10), 4, 0, [4], 4, 10, 1],
  ['hifz_repeat stops at its target', repeat(3, 10), 4, 2, [4], 'stop', 0, 3],
  ['hifz_repeat 0 is endless', repeat(0), 4, 900, [4], 4, 0, 901],
  ['hifz_ab goes on inside the range without a gap', range(2, 4), 2, 0, [2, 3, 4], 3, 0, 0],
  ['hifz_ab skips missing files', range(2, 6), 2, 0, [2, 6], 6, 0, 0],
  ['hifz_ab wraps, counts one pass and waits', range(2, 4), 4, 0, [2, 3, 4], 2, 5, 1],
  ['hifz_ab wraps to the first that is there', range(2, 9), 9, 0, [5, 9], 5, 5, 1],
  ['hifz_ab counts no pass that began in the middle', range(2, 4), 4, -1, [2, 3, 4], 2, 5, 0],
  ['hifz_ab wraps early when the end is missing', range(2, 9), 5, 0, [2, 5], 2, 5, 1],
  ['hifz_ab stops after its passes', range(2, 4), 4, 1, [2, 3, 4], 'stop', 0, 2],
  ['hifz_ab enters the range from outside', range(20, 22), 3, 0, [3, 21], 21, 0, 0],
  ['hifz_ab stops when nothing of the range is there', range(20, 22), 3, 0, [3], 'stop', 0, 1],
  ['hifz_ab of one surah repeats it', range(7, 7), 7, 0, [7], 7, 5, 1],
]

for (const [what, advance, ended, done, shelf, expected, gap_s, repeat_done] of ROWS) {
  test(`at the end of a track, ${what}`, () => {
    const follow = followUp(advance, track(ended), done, around(...shelf))
    if (expected === 'stop') {
      assert.deepEqual(follow, { kind: 'stop', repeat_done })
    } else {
      assert.deepEqual(follow, { kind: 'play', track: track(expected), gap_s, repeat_done })
    }
  })
}

test('a stream has no next surah in any mode but repeats under repeat_one', () => {
  const stream = { kind: 'stream', url: 'http://radio', station: '' } as const
  assert.equal(followUp({ mode: 'continuous' }, stream, 0, around(1)).kind, 'stop')
  assert.equal(followUp(range(1, 2), stream, 0, around(1)).kind, 'stop')
  assert.equal(followUp({ mode: 'repeat_one' }, stream, 0, around(1)).kind, 'play')
})

test('a hifz_repeat without repeat is endless, a hifz_ab never is', () => {
  assert.deepEqual(advanceOf({ mode: 'hifz_repeat' }), repeat(0))
  const ab = advanceOf({ mode: 'hifz_ab', ab: { from: 1, to: 3 }, pause_s: 4 })
  assert.ok(ab.mode === 'hifz_ab' && ab.repeat_target > 0 && ab.pause_s === 4)
})
