import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { createMarks } from './marks.ts'

const MARKS = ['abx', 'abc', 'bca', ' -- ', ' ---- ', '%A-', 'aaa', 'Ł%a']

test('marks are found as a pattern of all of them finds them', () => {
  const marks = createMarks(MARKS)
  const pattern = new RegExp(MARKS.join('|'), 'g')
  const letters = fc.constantFrom('a', 'b', 'c', ' ', '-', '%', 'A', 'Ł', 'x')
  fc.assert(
    fc.property(fc.string({ unit: letters, maxLength: 40 }), (text) => {
      const found: [number, string | undefined][] = []
      for (let at = marks.indexIn(text, 0); at >= 0; ) {
        const mark = marks.markAt(text, at)
        found.push([at, mark])
        at = marks.indexIn(text, at + (mark?.length ?? 1))
      }
      assert.deepEqual(
        found,
        [...text.matchAll(pattern)].map((match) => [match.index, match[0]]),
      )
    }),
    { numRuns: 2_000 },
  )
})
