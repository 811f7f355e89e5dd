import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { type Drill, drillOf, roundAt, roundCount, roundOfVerse } from './drill.ts'

const drill = (body: Partial<Parameters<typeof drillOf>[0]>, from: number, to: number): Drill =>
  drillOf({ mode: 'hifz_verses', ...body }, { from, to })

/** Every round as `3` or `1-3`, in order. */
function told(wanted: Drill, most = 100): string {
  const rounds: string[] = []
  for (let number = 0; number < most; number += 1) {
    const round = roundAt(wanted, number)
    if (!round) break
    rounds.push(round.from === round.to ? `${round.from}` : `${round.from}-${round.to}`)
  }
  return rounds.join(' ')
}

const ROWS: [what: string, drill: Drill, rounds: string][] = [
  ['each verse by itself', drill({ repeat: 2 }, 1, 3), '1 1 2 2 3 3'],
  ['all of it again in a second pass', drill({ repeat: 1, passes: 2 }, 4, 5), '4 5 4 5'],
  [
    'a stack links every new verse with those before it',
    drill({ method: 'stack', repeat: 2, link: 1 }, 1, 4),
    '1 1 2 2 1-2 3 3 1-3 4 4 1-4',
  ],
  [
    'a stack of one verse has nothing to link',
    drill({ method: 'stack', repeat: 3, link: 2 }, 7, 7),
    '7 7 7',
  ],
  [
    'a stack in two passes',
    drill({ method: 'stack', repeat: 1, link: 2, passes: 2 }, 2, 3),
    '2 3 2-3 2-3 2 3 2-3 2-3',
  ],
  ['what is not said', drill({}, 1, 2), '1 1 1 1 1 2 2 2 2 2'],
]

for (const [what, wanted, rounds] of ROWS)
  test(`a drill: ${what}`, () => {
    assert.equal(told(wanted), rounds)
    assert.equal(roundCount(wanted), rounds.split(' ').length)
  })

test('a drill of one verse without end goes on', () => {
  const endless = drill({ repeat: 0 }, 5, 5)
  assert.deepEqual(roundAt(endless, 12_345), { from: 5, to: 5, done: 12_345, of: 0, pass: 0 })
  assert.equal(roundCount(endless), 0)
})

const drills = fc
  .record({
    method: fc.constantFrom('each' as const, 'stack' as const),
    repeat: fc.integer({ min: 1, max: 20 }),
    link: fc.integer({ min: 1, max: 5 }),
    passes: fc.integer({ min: 1, max: 4 }),
    from: fc.integer({ min: 1, max: 280 }),
    more: fc.integer({ min: 0, max: 6 }),
  })
  .map(({ from, more, ...body }) => drill(body, from, from + more))

test('every round of every drill lies in its range, and each verse comes as often as was asked', () => {
  fc.assert(
    fc.property(drills, (wanted) => {
      const alone = new Map<number, number>()
      const count = roundCount(wanted)
      for (let number = 0; number < count; number += 1) {
        const round = roundAt(wanted, number)
        assert.ok(round && round.from >= wanted.verse_from && round.to <= wanted.verse_to)
        assert.ok(round.done < round.of)
        if (round.from === round.to) alone.set(round.from, (alone.get(round.from) ?? 0) + 1)
      }
      assert.equal(roundAt(wanted, count), undefined)
      for (const often of alone.values()) assert.equal(often, wanted.repeat_target * wanted.passes)
      assert.equal(alone.size, wanted.verse_to - wanted.verse_from + 1)
    }),
  )
})

test('seeking a verse finds its first round in the pass that is on', () => {
  fc.assert(
    fc.property(drills, fc.nat(), fc.nat(), (wanted, somewhere, which) => {
      const number = somewhere % roundCount(wanted)
      const verse = wanted.verse_from + (which % (wanted.verse_to - wanted.verse_from + 1))
      const round = roundAt(wanted, roundOfVerse(wanted, number, verse))
      const pass = roundAt(wanted, number)?.pass
      const of = wanted.repeat_target
      assert.deepEqual(round, { from: verse, to: verse, done: 0, of, pass })
    }),
  )
})
