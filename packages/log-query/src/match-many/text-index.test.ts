import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { fold } from '../fold.ts'
import { createCommonness } from './grams.ts'
import { createTextIndex } from './text-index.ts'

/** Letters whose lower half, or whose fold, is another letter of them. */
const letters = [
  'a',
  'A',
  'b',
  'B',
  'Z',
  '[',
  '@',
  '{',
  'é',
  'É',
  'Š',
  'a\u0141',
  'İ',
  'K',
  '😀',
  '\0',
]
const text = (maxLength: number) =>
  fc.array(fc.constantFrom(...letters), { maxLength }).map((some) => some.join(''))
const literal = fc.record({
  text: text(12)
    .map(fold)
    .filter((one) => one !== ''),
  isStart: fc.boolean(),
  isEnd: fc.boolean(),
})
type Literal = typeof literal extends fc.Arbitrary<infer T> ? T : never

function stands(value: string, { text: wanted, isStart, isEnd }: Literal): boolean {
  const folded = fold(value)
  if (isStart && isEnd) return folded === wanted
  if (isStart) return folded.startsWith(wanted)
  return isEnd ? folded.endsWith(wanted) : folded.includes(wanted)
}

test('the literals that stand in a text are found, also after others have gone', () => {
  const values = fc.array(text(40), { minLength: 1, maxLength: 4 })
  const some = fc.array(literal, { maxLength: 20 })
  fc.assert(
    fc.property(some, some, values, fc.boolean(), (staying, going, texts, isPart) => {
      const index = createTextIndex<number>(createCommonness())
      for (const [at, one] of going.entries()) index.add(one, -1 - at)
      for (const [at, one] of staying.entries()) index.add(one, at)
      for (const [at, one] of going.entries()) index.remove(one, -1 - at)
      for (const value of texts) {
        // Half of them with one of the literals in the middle.
        const searched = isPart ? `${value}${staying[0]?.text ?? ''}${value}` : value
        const found = new Set<number>()
        index.search(searched, (owner) => found.add(owner))
        const expected = staying.flatMap((one, at) => (stands(searched, one) ? [at] : []))
        assert.deepEqual(
          [...found].sort((a, b) => a - b),
          expected,
        )
      }
    }),
    { numRuns: 2_000 },
  )
})

test('a text longer than any before is searched to its end', () => {
  const index = createTextIndex<string>(createCommonness())
  for (const wanted of ['needle-in-hay', 'eedle', 'rind', 'ё'])
    index.add({ text: wanted, isStart: false, isEnd: false }, wanted)
  const found: string[] = []
  index.search(`${'x'.repeat(300_001)}NEEDLE-IN-HAY`, (owner) => found.push(owner))
  index.search(`${'é'.repeat(5_000_002)}Ёrind`, (owner) => found.push(owner))
  assert.deepEqual(found, ['needle-in-hay', 'eedle', 'rind', 'ё'])
})

test('a literal that stands in a text a thousand times is told once', () => {
  const index = createTextIndex<string>(createCommonness())
  index.add({ text: 'abababab', isStart: false, isEnd: false }, 'it')
  const found: string[] = []
  index.search('ab'.repeat(1_000), (owner) => found.push(owner))
  assert.deepEqual(found, ['it'])
})
