import assert from 'node:assert/strict'
import { test } from 'node:test'
import { cursorOver } from './cursor.ts'
import { keptFields, numberIn } from './kept-fields.ts'
import { pairsIn } from './pairs.ts'
import { blankSeparated, separated } from './separated.ts'
import { work } from './work.ts'

test('a cursor takes what comes next, and nothing where it does not come', () => {
  const line = cursorOver('a: "b \\"c\\"" [d e] 17x  f g')
  assert.equal(line.take('b'), false)
  assert.equal(line.until('?'), undefined)
  assert.equal(line.until(': '), 'a')
  assert.equal(line.quoted(), 'b "c"')
  line.skipSpaces()
  assert.equal(line.bracketed(), 'd e')
  assert.deepEqual([line.take(' '), line.digits(), line.peek()], [true, '17', 'x'])
  assert.deepEqual([line.upTo(' '), line.word(), line.rest()], ['x', 'f', ' g'])
  assert.deepEqual([line.isEnd(), line.at(), line.word()], [true, 27, ''])
})

const SEPARATED: [text: string, values: string[]][] = [
  ['a,,"b,c","d ""e"""', ['a', '', 'b,c', 'd "e"']],
  ['"a "b" c",d', ['a "b" c', 'd']],
  ['"a,b', ['"a', 'b']],
  ['', ['']],
]
for (const [text, values] of SEPARATED) {
  test(`values of ${text}`, () => assert.deepEqual(separated(text), values))
}

test('values with blanks between them', () => {
  const text = '192.0.2.1  - [10/Oct/2000 -0700] "GET \\" /" 200 [x'
  const values = ['192.0.2.1', '-', '10/Oct/2000 -0700', 'GET \\" /', '200', '[x']
  assert.deepEqual(blankSeparated(text), values)
})

const PAIRS: [text: string, pairs: Record<string, string>][] = [
  ['a=1 b="x y" c=\'z, w\'', { a: '1', b: 'x y', c: 'z, w' }],
  ['said [id=7;k=v] a= b=2 -x=3 a=4', { id: '7', k: 'v]', a: '', b: '2' }],
  ['a="never closed b=2', { a: '"never', b: '2' }],
  ['__proto__=1 constructor=2', { constructor: '2' } as unknown as Record<string, string>],
]
for (const [text, pairs] of PAIRS) {
  test(`pairs of ${text}`, () => assert.deepEqual(pairsIn(text), pairs))
}

test('fields that say nothing are left out', () => {
  const found = { a: 'x', b: '-', c: '', d: undefined, e: null, f: 0, g: false }
  assert.deepEqual(keptFields(found), { a: 'x', f: 0, g: false })
  assert.deepEqual(['1', ' ', '1.5', 'x', '', 3].map(numberIn), [
    1,
    0,
    1.5,
    undefined,
    undefined,
    3,
  ])
})

const HOSTILE = ['a', '"', ',"', ' "', '[', ' [', 'a="', " a='", '\\', '"\\', 'a=', '""', ' a="\\"']
const READERS = { separated, blankSeparated, pairsIn: (text: string) => pairsIn(text) }

function stepsOf(run: () => unknown): number {
  const before = work.steps
  run()
  return work.steps - before
}

for (const [name, read] of Object.entries(READERS)) {
  test(`the work of ${name} grows with the length of the line`, () => {
    for (const piece of HOSTILE) {
      const steps = (times: number) => stepsOf(() => read(piece.repeat(times)))
      assert.ok(steps(8_000) <= 9 * steps(1_000), piece)
    }
  })
}
