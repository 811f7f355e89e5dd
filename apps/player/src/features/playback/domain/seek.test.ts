import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { ModeBody } from '@manara/player-contract/mode'
import { step } from './machine.ts'
import { type Command, INITIAL, type Machine, type Report } from './state.ts'
import type { FileTrack, Shelf, Track } from './track.ts'
import type { VerseBook } from './verse-clips.ts'

const file = (surah_number: number): FileTrack => ({
  kind: 'file',
  path: `R/${surah_number}.mp3`,
  reciter: 'R',
  surah_number,
})
const shelf: Shelf = (_reciter, surah) => (surah <= 3 ? file(surah) : undefined)
/** Verses of 4 s. */
const book: VerseBook = ({ path }) => ({
  verses: [1, 2, 3, 4].map((verse) => ({
    ...{ verse, path, sure: true, margin: 3 },
    start_ms: (verse - 1) * 4000,
    end_ms: verse * 4000,
  })),
})
const at = (machine: Machine, happening: Command | Report) => step(machine, happening, shelf, book)
const run = (...happenings: (Command | Report)[]): Machine =>
  happenings.reduce((machine, one) => at(machine, one).next, INITIAL)
const play = (track: Track): Command => ({ type: 'play', track, position_ms: 0, repeat_done: 0 })
const eof: Report = { type: 'ended', reason: 'eof', error: '' }
const reminder: Command = {
  type: 'adhan',
  kind: 'reminder',
  after: null,
  prayer: 'asr',
  path: 'reminder',
  file: '/reminder.wav',
  volume: 80,
  isLent: true,
  place_ms: 7_000,
}

const modes: [body: ModeBody, last: number][] = [
  [{ mode: 'hifz_ab', repeat: 2, pause_s: 5, ab: { from: 1, to: 2 } }, 2],
  [{ mode: 'hifz_repeat', repeat: 2, pause_s: 5 }, 1],
]
const seeks: Command[] = [
  { type: 'seek', position_ms: 4000 },
  { type: 'seek-verse', verse: 2 },
]
for (const [body, last] of modes)
  for (const seek of seeks)
    for (const during of [[], [reminder]]) {
      const where = during.length > 0 ? 'the silence under a reminder' : 'the silence'
      test(`${seek.type} in ${where} of ${body.mode} goes back into the pass, which counts once`, () => {
        const heard = [{ type: 'mode', body } as const, play(file(1)), ...Array(last).fill(eof)]
        const silence = run(...heard, ...during)
        assert.deepEqual([silence.repeat_done, silence.gap?.upcoming], [1, file(1)])
        const { next, effects } = at(silence, seek)
        assert.deepEqual([next.track, next.repeat_done, next.gap], [file(last), 0, null])
        const load = effects.find((effect) => effect.do === 'load')
        assert.deepEqual([load?.track, load?.position_ms], [file(last), 4000])
        const again = at(next, eof).next
        assert.deepEqual([again.repeat_done, again.gap?.upcoming], [1, file(1)])
      })
    }

for (const seek of seeks)
  test(`${seek.type} under a reminder loads what it interrupted, at that place`, () => {
    const { next, effects } = at(run(play(file(2)), reminder), seek)
    assert.equal(next.adhan, null)
    assert.deepEqual(effects.at(-1), {
      ...{ do: 'load', track: file(2), position_ms: 4000, paused: false },
    })
    const paused = at(run(play(file(2)), { type: 'pause' }, reminder), seek).effects.at(-1)
    assert.equal(paused?.do === 'load' && paused.paused, true)
  })

test('a place under a reminder stays inside the part that is looped', () => {
  const loop: Command = {
    type: 'mode',
    body: { mode: 'loop', loop: { from: 2000, to: 6000 } },
    heard: { position_ms: 3000, duration_ms: 60_000 },
  }
  const { effects } = at(run(play(file(1)), loop, reminder), { type: 'seek', position_ms: 50_000 })
  const load = effects.at(-1)
  assert.equal(load?.do === 'load' && load.position_ms, 6000)
})
