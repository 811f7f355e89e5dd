import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { ModeBody } from '@manara/player-contract/mode'
import type { KnownVerse } from '@manara/player-contract/verses'
import { step } from './machine.ts'
import { type Command, INITIAL, type Machine, type Report } from './state.ts'
import type { FileTrack, Shelf, Track } from './track.ts'
import type { VerseBook } from './verse-clips.ts'

const surah = (surah_number: number): FileTrack => ({
  kind: 'file',
  path: `R/${surah_number}.mp3`,
  reciter: 'R',
  surah_number,
})
const shelf: Shelf = (_reciter, number) => (number > 0 ? surah(number) : undefined)
const stream: Track = { kind: 'stream', url: 'http://radio/', station: 'Radio' }

/** Verses of 4 s; the third of surah 112 is not sure; those of surah 113 have a file each. */
const verse = (surah_number: number, number: number): KnownVerse => ({
  verse: number,
  path: surah_number === 113 ? `R/113/${number}.mp3` : `R/${surah_number}.mp3`,
  start_ms: surah_number === 113 ? 0 : number * 4000,
  end_ms: surah_number === 113 ? 4000 : number * 4000 + 4000,
  sure: surah_number !== 112 || number !== 3,
  margin: 3,
})
const COUNTS: Record<number, number> = { 112: 4, 113: 5, 114: 6 }
const book: VerseBook = ({ surah_number }) => {
  const count = COUNTS[surah_number]
  if (!count) return { verses: null, reason: 'no pauses' }
  return { verses: Array.from({ length: count }, (_, i) => verse(surah_number, i + 1)) }
}

const eof: Report = { type: 'ended', reason: 'eof', error: '' }
const play = (track: Track, mode?: ModeBody): Command => ({
  type: 'play',
  track,
  position_ms: 0,
  repeat_done: 0,
  mode,
})
const drill = (body: Partial<ModeBody> = {}): ModeBody => ({
  mode: 'hifz_verses',
  verses: { from: 1, to: 2 },
  repeat: 1,
  gap_percent: 0,
  pause_s: 0,
  ...body,
})
const setMode = (body: ModeBody, position_ms = 0): Command => ({
  type: 'mode',
  body,
  heard: { position_ms, duration_ms: 60_000 },
})
const run = (...happenings: (Command | Report)[]): Machine =>
  happenings.reduce((machine, one) => step(machine, one, shelf, book).next, INITIAL)
const loadOf = (machine: Machine, happening: Command | Report) =>
  step(machine, happening, shelf, book).effects.find((effect) => effect.do === 'load')
const clip = (from_ms: number, to_ms: number) => ({ from_ms, to_ms })

/** Files and clips in the order they are heard, with the silences between them in ms. */
function heard(first: Command, most = 60): string[] {
  const told: string[] = []
  let machine = INITIAL
  let happening: Command | Report = first
  for (let i = 0; i < most && !(i > 0 && machine.state === 'stopped'); i += 1) {
    const { next, effects } = step(machine, happening, shelf, book)
    for (const effect of effects) {
      if (effect.do === 'start-gap') told.push(`(${effect.seconds * 1000})`)
      if (effect.do !== 'load' || effect.track.kind !== 'file') continue
      const { path, clip } = effect.track
      told.push(clip ? `${clip.from_ms}-${clip.to_ms}` : path)
    }
    machine = next
    happening = machine.gap ? { type: 'gap-over' } : eof
  }
  return told
}

describe('a drill of verses', () => {
  test('is heard clip by clip, with the learner’s turn after each and a pause before it begins again', () => {
    const body = drill({ gap_percent: 50, pause_s: 3, passes: 2 })
    assert.deepEqual(heard(play(surah(114), body)), [
      ...['4000-8000', '(2000)', '8000-12000', '(5000)'],
      ...['4000-8000', '(2000)', '8000-12000'],
    ])
  })

  test('stacked, hears linked verses in one go and gives a turn as long as all of them', () => {
    const body = drill({ method: 'stack', link: 2, gap_percent: 100, pause_s: 1 })
    assert.deepEqual(heard(play(surah(114), body)), [
      ...['4000-8000', '(4000)', '8000-12000', '(5000)'],
      ...['4000-12000', '(9000)', '4000-12000'],
    ])
  })

  test('of verse files goes from file to file, and links them without a silence', () => {
    const body = drill({ method: 'stack', link: 1, gap_percent: 100, verses: { from: 2, to: 3 } })
    assert.deepEqual(heard(play(surah(113), body)), [
      ...['R/113/2.mp3', '(4000)', 'R/113/3.mp3', '(4000)', 'R/113/2.mp3', 'R/113/3.mp3'],
    ])
  })

  test('slower, gives a turn that is as much longer', () => {
    const machine = { ...INITIAL, speed: 50 }
    const playing = step(machine, play(surah(114), drill({ gap_percent: 100 })), shelf, book).next
    const [gap] = step(playing, eof, shelf, book).effects
    assert.deepEqual(gap, { do: 'start-gap', seconds: 8 })
  })

  test('gives the turn from the last sound on', () => {
    const playing = run(play(surah(114), drill({ gap_percent: 100 })))
    const [gap] = step(playing, { ...eof, left_ms: 200 }, shelf, book).effects
    assert.deepEqual(gap, { do: 'start-gap', seconds: 4.2 })
  })

  test('begins when the verse that is heard has come to its end', () => {
    const playing = run(play(surah(114)))
    const load = loadOf(playing, setMode(drill(), 9000))
    assert.deepEqual(
      [load?.position_ms, load?.track],
      [9000, { ...surah(114), clip: clip(8000, 12_000) }],
    )
    const next = step(playing, setMode(drill(), 9000), shelf, book).next
    assert.deepEqual(loadOf(next, eof)?.position_ms, 4000)
    assert.equal(
      loadOf(run(play(surah(114)), { type: 'pause' }), setMode(drill(), 9000))?.paused,
      true,
    )
  })

  test('of one verse without end begins with that verse, and not with all before it', () => {
    const endless = drill({ verses: { from: 5, to: 5 }, repeat: 0 })
    const next = step(run(play(surah(114))), setMode(endless, 9000), shelf, book).next
    const load = loadOf(next, eof)
    assert.deepEqual(load?.track.kind === 'file' && load.track.clip, clip(20_000, 24_000))
    assert.equal(step(next, eof, shelf, book).next.repeat_done, 0)
  })

  test('begins at once when all verses are over, and before the first when that comes', () => {
    const playing = run(play(surah(114)))
    assert.equal(loadOf(playing, setMode(drill(), 59_000))?.position_ms, 4000)
    const before = loadOf(playing, setMode(drill(), 1000))?.track
    assert.deepEqual(before?.kind === 'file' && before.clip, clip(0, 4000))
  })

  test('ends with another mode, and the surah goes on from where it is', () => {
    const drilling = run(play(surah(114), drill()))
    const load = loadOf(drilling, setMode({ mode: 'off' }, 5000))
    assert.deepEqual([load?.track, load?.position_ms], [surah(114), 5000])
    const waiting = run(play(surah(114), drill({ gap_percent: 100 })), eof)
    const upcoming = loadOf(waiting, setMode({ mode: 'continuous' }))
    assert.deepEqual([upcoming?.track, upcoming?.position_ms], [surah(114), 8000])
  })

  test('of yesterday does not keep a surah without verses from being heard whole', () => {
    const drilling = run(play(surah(114), drill()))
    const load = loadOf(drilling, play(surah(2)))
    assert.deepEqual([load?.track, load?.position_ms], [surah(2), 0])
    assert.equal(run(play(surah(114), drill()), play(surah(2)), eof).state, 'stopped')
  })

  test('that came with a surah ends with it: the next is heard whole, in the mode from before', () => {
    const chosen = setMode({ mode: 'continuous' })
    const lesson = run(chosen, play(surah(114), drill()), eof, eof)
    assert.deepEqual([lesson.state, lesson.advance.mode], ['stopped', 'hifz_verses'])
    const next = step(lesson, play(surah(112)), shelf, book).next
    assert.deepEqual([next.track, next.advance], [surah(112), { mode: 'continuous' }])
    const second = run(chosen, play(surah(114), drill()), play(surah(112), drill()), play(surah(2)))
    assert.deepEqual(second.advance, { mode: 'continuous' })
    const neighbour = run(play(surah(112), drill()), { type: 'next' })
    assert.deepEqual([neighbour.track, neighbour.advance], [surah(113), { mode: 'off' }])
  })

  test('that somebody has chosen by itself is about whatever they play next', () => {
    const chosen = run(play(surah(114), drill()), setMode(drill()), play(surah(112)))
    assert.deepEqual(chosen.track?.kind === 'file' && chosen.track.clip, clip(4000, 8000))
  })

  test('hears an unsure verse with half a second around, when its owner says so', () => {
    const body = drill({ unsure: true, verses: { from: 2, to: 3 }, method: 'stack', link: 1 })
    assert.deepEqual(heard(play(surah(112), body)), ['8000-12000', '11500-16500', '8000-16500'])
  })

  test('goes on after a power cut with the verse that was on, and anew when it is another drill', () => {
    const drilling = run(play(surah(114), drill({ repeat: 3 })), eof, eof, eof)
    const { track, repeat_done, advance } = drilling
    assert.ok(track)
    const kept = { ...play(track), position_ms: 8000, repeat_done, isKept: true } as Command
    const again = step({ ...INITIAL, advance }, kept, shelf, book).next
    assert.deepEqual([again.track, again.repeat_done], [track, 3])
    const other = run(setMode(drill({ verses: { from: 5, to: 6 } })), kept)
    assert.deepEqual(other.repeat_done, 0)
    assert.deepEqual(other.track?.kind === 'file' && other.track.clip, clip(20_000, 24_000))
    const whole = run(kept)
    assert.deepEqual(whole.track, surah(114))
  })

  test('is interrupted by the adhan and goes on inside its verse', () => {
    const adhan: Command = {
      ...{ type: 'adhan', kind: 'adhan', after: null, prayer: 'asr', path: 'a', file: '/a' },
      ...{ volume: 80, isLent: true, place_ms: 5500 },
    }
    const calling = run(play(surah(114), drill()), adhan)
    const load = loadOf(calling, eof)
    assert.equal(load?.position_ms, 5500)
    assert.deepEqual(load?.track.kind === 'file' && load.track.clip, clip(4000, 8000))
  })
})

describe('seeking', () => {
  test('a verse goes to its beginning, half a second before when it is not sure', () => {
    const seek = (number: number, on = 112) =>
      step(run(play(surah(on))), { type: 'seek-verse', verse: number }, shelf, book).effects[0]
    assert.deepEqual(seek(2), { do: 'seek', position_ms: 8000 })
    assert.deepEqual(seek(3), { do: 'seek', position_ms: 11_500 })
    const other = seek(4, 113)
    assert.equal(
      other?.do === 'load' && other.track.kind === 'file' && other.track.path,
      'R/113/4.mp3',
    )
  })

  test('a verse of a drill begins its rounds', () => {
    const next = run(play(surah(114), drill({ repeat: 3 })), { type: 'seek-verse', verse: 2 })
    assert.deepEqual(
      [next.repeat_done, next.track?.kind === 'file' && next.track.verses],
      [3, { from: 2, to: 2 }],
    )
  })

  test('a verse goes to its rounds also before the first of them', () => {
    const to = (repeat: number, verses = { from: 1, to: 3 }) => {
      const before = step(
        run(play(surah(114))),
        setMode(drill({ repeat, verses }), 21_000),
        shelf,
        book,
      )
      return step(before.next, { type: 'seek-verse', verse: verses.to }, shelf, book).next
    }
    const next = to(2)
    assert.deepEqual(
      [next.repeat_done, next.track?.kind === 'file' && next.track.verses],
      [4, { from: 3, to: 3 }],
    )
    assert.equal(to(0, { from: 3, to: 3 }).repeat_done, 0)
  })

  test('a place stays within the part that plays', () => {
    const drilling = run(play(surah(114), drill()))
    const to = (position_ms: number) =>
      step(drilling, { type: 'seek', position_ms }, shelf, book).effects[0]
    assert.deepEqual(to(50_000), { do: 'seek', position_ms: 8000 })
    assert.deepEqual(to(0), { do: 'seek', position_ms: 4000 })
  })
})

describe('a loop', () => {
  const loop: ModeBody = { mode: 'loop', loop: { from: 2000, to: 5000 } }

  test('repeats a part of the file that plays, from where that is', () => {
    const playing = run(play(surah(2)))
    assert.equal(loadOf(playing, setMode(loop, 3000))?.position_ms, 3000)
    assert.equal(loadOf(playing, setMode(loop, 9000))?.position_ms, 2000)
    const looping = step(playing, setMode(loop, 3000), shelf, book).next
    assert.equal(loadOf(looping, eof)?.position_ms, 2000)
  })

  test('ends with the file that it is about', () => {
    const next = run(play(surah(2)), setMode(loop), play(surah(3)))
    assert.deepEqual([next.advance, next.track], [{ mode: 'off' }, surah(3)])
  })
})

type Refusal = [what: string, from: (Command | Report)[], happening: Command, error: RegExp]
const REFUSED: Refusal[] = [
  [
    'verses that are not known',
    [play(surah(2))],
    setMode(drill()),
    /^mode: the verses of this recording are not known: no pauses/,
  ],
  [
    'verses with a play',
    [],
    play(surah(2), drill()),
    /^mode: the verses of this recording are not known/,
  ],
  [
    'a verse that the surah has not',
    [play(surah(112))],
    setMode(drill({ verses: { from: 1, to: 5 } })),
    /^verses.to: surah 112 has 4 verses/,
  ],
  [
    'an unsure verse, unasked',
    [play(surah(112))],
    setMode(drill({ verses: { from: 2, to: 4 } })),
    /^verses: not sure where these begin or end: 3;/,
  ],
  ['verses of a stream', [play(stream)], setMode(drill()), /^mode: a live stream has no verses/],
  [
    'verses of a file that is no surah',
    [play(surah(0))],
    setMode(drill()),
    /^mode: this file is no surah/,
  ],
  ['a verse of nothing', [], { type: 'seek-verse', verse: 1 }, /^verse: nothing is playing/],
  [
    'a verse of a stream',
    [play(stream)],
    { type: 'seek-verse', verse: 1 },
    /^verse: a live stream/,
  ],
  [
    'a verse that is not known',
    [play(surah(2))],
    { type: 'seek-verse', verse: 1 },
    /^verse: the verses of this/,
  ],
  [
    'a verse too many',
    [play(surah(112))],
    { type: 'seek-verse', verse: 5 },
    /^verse: surah 112 has 4 verses/,
  ],
  [
    'a verse outside the drill',
    [play(surah(114), drill())],
    { type: 'seek-verse', verse: 3 },
    /^verse: what is memorised is 1 to 2/,
  ],
  [
    'a loop of nothing',
    [],
    setMode({ mode: 'loop', loop: { from: 0, to: 900 } }),
    /^mode: there is no file that plays/,
  ],
  [
    'a loop of a stream',
    [play(stream)],
    setMode({ mode: 'loop', loop: { from: 0, to: 900 } }),
    /^mode: there is no file/,
  ],
  [
    'a loop beyond the end',
    [play(surah(2))],
    setMode({ mode: 'loop', loop: { from: 0, to: 60_001 } }),
    /^loop.to: the file is 60000 ms long/,
  ],
  ['a speed for a stream', [play(stream)], { type: 'speed', speed: 75 }, /^speed: a live stream/],
]

for (const [what, from, happening, error] of REFUSED)
  test(`${what} is refused, and nothing changes`, () => {
    assert.throws(() => step(run(...from), happening, shelf, book), { message: error })
  })
