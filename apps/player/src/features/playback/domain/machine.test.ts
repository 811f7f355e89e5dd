import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import fc from 'fast-check'
import { step } from './machine.ts'
import { type Command, INITIAL, type Machine, type Report } from './state.ts'
import type { FileTrack, Shelf, Track } from './track.ts'

const file = (surah_number: number): FileTrack => ({
  kind: 'file',
  path: `R/${surah_number}.mp3`,
  reciter: 'R',
  surah_number,
})
const stream: Track = { kind: 'stream', url: 'http://radio/', station: 'Radio' }
const shelf: Shelf = (_reciter, surah) => (surah <= 3 ? file(surah) : undefined)

const play = (track: Track): Command => ({ type: 'play', track, position_ms: 0, repeat_done: 0 })
const eof: Report = { type: 'ended', reason: 'eof', error: '' }
const run = (...happenings: (Command | Report)[]): Machine =>
  happenings.reduce((machine, one) => step(machine, one, shelf).next, INITIAL)
const repeat: Command = { type: 'mode', body: { mode: 'hifz_repeat', repeat: 3, pause_s: 10 } }

const call: Extract<Command, { type: 'adhan' }> = {
  type: 'adhan',
  kind: 'adhan',
  after: null,
  prayer: 'asr',
  path: 'Adhan/a.mp3',
  file: '/card/Adhan/a.mp3',
  volume: 80,
  isLent: true,
  place_ms: 7_000,
}

test('what replaces the adhan begins at its own volume, not after a moment at the adhan’s', () => {
  const [load] = step(run(play(file(2)), call), play(file(1)), shelf).effects
  assert.equal(load?.do === 'load' && load.volume, 'own')
})

const IN = {
  stopped: [],
  playing: [play(file(2))],
  paused: [play(file(2)), { type: 'pause' }],
  buffering: [play(stream)],
  waiting: [repeat, play(file(2)), eof],
  'paused while waiting': [repeat, play(file(2)), eof, { type: 'pause' }],
  'the adhan over nothing': [call],
  'the adhan over a surah': [play(file(2)), call],
  'the adhan over a paused surah': [play(file(2)), { type: 'pause' }, call],
  'the adhan over a station': [play(stream), call],
  'the adhan over a silence': [repeat, play(file(2)), eof, call],
  'the adhan over a paused silence': [repeat, play(file(2)), eof, { type: 'pause' }, call],
  'a paused adhan': [play(file(2)), call, { type: 'pause' }],
} satisfies Record<string, (Command | Report)[]>

type From = keyof typeof IN
type Row = [from: From, happening: Command | Report, state: string, effects: string[]]

const ROWS: Row[] = [
  ['stopped', play(file(1)), 'playing', ['load']],
  ['playing', play(file(1)), 'playing', ['load']],
  ['playing', play(stream), 'buffering', ['load']],
  ['waiting', play(file(1)), 'playing', ['load', 'end-gap']],
  ['playing', { type: 'pause' }, 'paused', ['pause']],
  ['buffering', { type: 'pause' }, 'paused', ['pause']],
  ['waiting', { type: 'pause' }, 'paused', ['freeze-gap']],
  ['paused', { type: 'pause' }, 'paused', []],
  ['stopped', { type: 'pause' }, 'stopped', []],
  ['paused', { type: 'resume' }, 'playing', ['resume']],
  ['paused while waiting', { type: 'resume' }, 'playing', ['thaw-gap']],
  ['playing', { type: 'resume' }, 'playing', []],
  ['stopped', { type: 'resume' }, 'stopped', []],
  ['playing', { type: 'stop' }, 'stopped', ['stop']],
  ['paused', { type: 'stop' }, 'stopped', ['stop']],
  ['buffering', { type: 'stop' }, 'stopped', ['stop']],
  ['waiting', { type: 'stop' }, 'stopped', ['end-gap', 'stop']],
  ['stopped', { type: 'stop' }, 'stopped', []],
  ['playing', { type: 'next' }, 'playing', ['load']],
  ['paused', { type: 'prev' }, 'playing', ['load']],
  ['waiting', { type: 'next' }, 'playing', ['load', 'end-gap']],
  ['playing', { type: 'seek', position_ms: 5 }, 'playing', ['seek']],
  ['paused', { type: 'seek', position_ms: 5 }, 'paused', ['seek']],
  ['waiting', { type: 'seek', position_ms: 5 }, 'playing', ['load', 'end-gap']],
  ['paused while waiting', { type: 'seek', position_ms: 5 }, 'paused', ['load', 'end-gap']],
  ['playing', repeat, 'playing', []],
  ['stopped', repeat, 'stopped', []],
  ['waiting', { type: 'mode', body: { mode: 'off' } }, 'playing', ['load', 'end-gap']],
  ['playing', eof, 'stopped', ['stop']],
  ['playing', { type: 'ended', reason: 'lost', error: 'gone' }, 'stopped', ['stop']],
  ['stopped', eof, 'stopped', []],
  ['waiting', eof, 'playing', []],
  ['waiting', { type: 'gap-over' }, 'playing', ['load', 'end-gap']],
  ['paused while waiting', { type: 'gap-over' }, 'paused', []],
  ['playing', { type: 'gap-over' }, 'playing', []],
  ['buffering', { type: 'engine', state: 'playing' }, 'playing', []],
  ['playing', { type: 'engine', state: 'buffering' }, 'buffering', []],
  ['paused', { type: 'engine', state: 'playing' }, 'paused', []],
  ['waiting', { type: 'engine', state: 'buffering' }, 'playing', []],
  ['stopped', { type: 'engine', state: 'playing' }, 'stopped', []],
  ['stopped', call, 'stopped', ['announce']],
  ['playing', call, 'playing', ['announce']],
  ['waiting', call, 'playing', ['freeze-gap', 'announce']],
  ['paused while waiting', call, 'paused', ['announce']],
  ['the adhan over a silence', call, 'playing', ['announce']],
  ['the adhan over nothing', eof, 'stopped', ['silence', 'own-volume']],
  ['the adhan over a surah', eof, 'playing', ['silence', 'own-volume', 'load']],
  ['the adhan over a surah', { type: 'adhan-over' }, 'playing', ['silence', 'own-volume', 'load']],
  ['the adhan over a paused surah', eof, 'paused', ['silence', 'own-volume', 'load']],
  ['the adhan over a station', eof, 'buffering', ['silence', 'own-volume', 'load']],
  ['the adhan over a silence', eof, 'playing', ['silence', 'own-volume', 'thaw-gap']],
  ['the adhan over a paused silence', eof, 'paused', ['silence', 'own-volume']],
  ['the adhan over a surah', { type: 'stop' }, 'stopped', ['stop', 'own-volume']],
  ['the adhan over a silence', { type: 'stop' }, 'stopped', ['end-gap', 'stop', 'own-volume']],
  ['the adhan over a surah', play(file(1)), 'playing', ['load']],
  ['the adhan over a surah', { type: 'next' }, 'playing', ['load']],
  ['the adhan over a surah', { type: 'pause' }, 'playing', ['pause']],
  ['a paused adhan', { type: 'resume' }, 'playing', ['resume']],
  ['a paused adhan', { type: 'pause' }, 'playing', []],
  ['the adhan over a surah', repeat, 'playing', []],
  ['the adhan over a silence', { type: 'mode', body: { mode: 'off' } }, 'playing', ['end-gap']],
  ['the adhan over a surah', { type: 'engine', state: 'buffering' }, 'playing', []],
  ['the adhan over a silence', { type: 'gap-over' }, 'playing', []],
  ['the adhan over a surah', { type: 'source-gone', error: 'gone' }, 'stopped', []],
  ['playing', { type: 'source-gone', error: 'gone' }, 'stopped', ['stop']],
  ['waiting', { type: 'source-gone', error: 'gone' }, 'stopped', ['end-gap', 'stop']],
  ['playing', { type: 'adhan-over' }, 'playing', []],
]

for (const [from, happening, state, effects] of ROWS) {
  test(`${from} + ${JSON.stringify(happening)} is ${state}`, () => {
    const reached = step(run(...IN[from]), happening, shelf)
    assert.equal(reached.next.state, state)
    assert.deepEqual(
      reached.effects.map((effect) => effect.do),
      effects,
    )
  })
}

const refused = (from: From, command: Command, message: RegExp) =>
  test(`${from} refuses ${command.type}`, () => {
    assert.throws(() => step(run(...IN[from]), command, shelf), { status: 400, message })
  })
refused('stopped', { type: 'seek', position_ms: 1 }, /^position: nothing/)
refused('buffering', { type: 'seek', position_ms: 1 }, /^position: a live stream/)
refused('stopped', { type: 'next' }, /^next: no reciter/)
refused('the adhan over a surah', { type: 'seek', position_ms: 1 }, /^position: the adhan/)
refused('the adhan over nothing', { type: 'next' }, /^next: no reciter/)

describe('the dua', () => {
  const dua = { path: 'Adhan/dua.mp3', file: '/card/Adhan/dua.mp3' }
  const withDua = { ...call, after: dua }

  test('follows an adhan that was heard to its end, and what was interrupted follows the dua', () => {
    const { next, effects } = step(run(play(file(2)), withDua), eof, shelf)
    assert.deepEqual(effects, [{ do: 'announce', file: dua.file }])
    assert.deepEqual([next.adhan?.path, next.adhan?.isAfter], [dua.path, true])
    const after = step(next, eof, shelf)
    assert.equal(after.next.adhan, null)
    assert.deepEqual(after.effects.at(-1), {
      do: 'load',
      track: file(2),
      position_ms: 7_000,
      paused: false,
    })
  })

  test('does not follow an adhan that was stopped or broke off', () => {
    const reports: Report[] = [{ type: 'adhan-over' }, { type: 'ended', reason: 'lost', error: '' }]
    for (const report of reports) {
      assert.equal(step(run(play(file(2)), withDua), report, shelf).next.adhan, null)
    }
  })
})

describe('a reminder', () => {
  const reminder: Command = { ...call, kind: 'reminder' }
  const during = run(play(file(2)), reminder)

  const CASES: [command: Command, state: string, position_ms: number, paused: boolean][] = [
    [{ type: 'pause' }, 'paused', 7_000, true],
    [{ type: 'resume' }, 'playing', 7_000, false],
    [{ type: 'seek', position_ms: 500 }, 'playing', 500, false],
  ]
  for (const [command, state, position_ms, paused] of CASES)
    test(`gives way to ${command.type}, which is about what it interrupted`, () => {
      const { next, effects } = step(during, command, shelf)
      assert.deepEqual([next.adhan, next.state], [null, state])
      assert.deepEqual(effects.at(-1), { do: 'load', track: file(2), position_ms, paused })
    })

  test('over nothing ends in silence when somebody pauses', () => {
    const { next } = step(run(reminder), { type: 'pause' }, shelf)
    assert.deepEqual([next.adhan, next.state], [null, 'stopped'])
  })
})

test('a surah goes on where it was, also when one adhan followed another', () => {
  const twice = run(play(file(2)), call, { ...call, prayer: 'maghrib', place_ms: 99 })
  const { effects } = step(twice, eof, shelf)
  assert.deepEqual(effects.at(-1), {
    do: 'load',
    track: file(2),
    position_ms: 7_000,
    paused: false,
  })
})

test('nothing that happens by itself ends the adhan', () => {
  const reports: Report[] = [
    { type: 'gap-over' },
    { type: 'engine', state: 'playing' },
    { type: 'engine', state: 'buffering' },
    { type: 'source-gone', error: 'gone' },
  ]
  for (const from of ['the adhan over a surah', 'the adhan over a silence'] as const) {
    for (const report of reports) {
      assert.ok(step(run(...IN[from]), report, shelf).next.adhan, `${from} + ${report.type}`)
    }
  }
})

test('next after the last surah that is there is refused and changes nothing', () => {
  const machine = run(play(file(3)))
  assert.throws(() => step(machine, { type: 'next' }, shelf), { status: 400, message: /^next:/ })
  assert.equal(machine.state, 'playing')
})

test('next counts from the last surah even after a stop', () => {
  const { next } = step(run(play(file(1)), { type: 'stop' }), { type: 'next' }, shelf)
  assert.deepEqual(next.track, file(2))
})

test('what was lost says why, and the next play clears it', () => {
  const lost = run(play(file(1)), { type: 'ended', reason: 'lost', error: 'the card was removed' })
  assert.equal(lost.error, 'the card was removed')
  assert.equal(step(lost, play(file(1)), shelf).next.error, null)
})

const anyCommand: fc.Arbitrary<Command | Report> = fc.oneof(
  fc.integer({ min: 1, max: 3 }).map((surah) => play(file(surah))),
  fc.constant(play(stream)),
  fc.constantFrom('pause', 'resume', 'stop', 'next', 'prev').map((type) => ({ type }) as Command),
  fc.nat(100_000).map((position_ms): Command => ({ type: 'seek', position_ms })),
  fc
    .constantFrom('off', 'continuous', 'repeat_one')
    .map((mode): Command => ({ type: 'mode', body: { mode } })),
  fc
    .record({ repeat: fc.nat(4), pause_s: fc.nat(3) })
    .map((hifz): Command => ({ type: 'mode', body: { mode: 'hifz_repeat', ...hifz } })),
  fc
    .record({
      repeat: fc.integer({ min: 1, max: 4 }),
      pause_s: fc.nat(3),
      from: fc.integer({ min: 1, max: 5 }),
    })
    .map(
      ({ from, ...hifz }): Command => ({
        type: 'mode',
        body: { mode: 'hifz_ab', ab: { from, to: from + 2 }, ...hifz },
      }),
    ),
  fc
    .constantFrom('eof', 'error', 'lost')
    .map((reason): Report => ({ type: 'ended', reason, error: reason })),
  fc.constantFrom('playing', 'buffering').map((state): Report => ({ type: 'engine', state })),
  fc.constant<Report>({ type: 'gap-over' }),
  fc.constant<Report>({ type: 'adhan-over' }),
  fc.constant<Report>({ type: 'source-gone', error: 'gone' }),
  fc.nat(100_000).map((place_ms): Command => ({ ...call, place_ms }) as Command),
)

test('no sequence of commands and reports reaches an impossible state', () => {
  fc.assert(
    fc.property(fc.array(anyCommand, { maxLength: 60 }), (happenings) => {
      let machine = INITIAL
      for (const happening of happenings) {
        const before = structuredClone(machine)
        try {
          machine = step(machine, happening, shelf).next
        } catch (error) {
          assert.equal((error as { status: number }).status, 400)
          assert.deepEqual(machine, before, 'a refusal changes nothing')
        }
        assertPossible(machine)
      }
    }),
    { numRuns: 2_000 },
  )
})

function assertPossible({ state, track, gap, advance, repeat_done, error }: Machine) {
  assert.equal(track === null, state === 'stopped', 'a track exactly while not stopped')
  if (gap) {
    assert.ok(state === 'playing' || state === 'paused', 'a gap is part of playing')
    assert.ok('pause_s' in advance && advance.pause_s > 0, 'only hifz modes have gaps')
  }
  if (state === 'buffering') assert.equal(gap, null, 'nothing buffers in a gap')
  if ('repeat_target' in advance && advance.repeat_target > 0) {
    assert.ok(repeat_done <= advance.repeat_target, 'never more repetitions than asked for')
  }
  if (error !== null) assert.equal(state, 'stopped', 'an error has stopped playback')
}
