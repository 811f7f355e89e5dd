import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { normalise } from './normalise.ts'
import { parseQuery } from './parse.ts'
import { compilePredicate } from './predicate.ts'
import { printQuery } from './print.ts'
import { anyLog, anyQuery } from './testing/arbitrary.ts'

test('every query, printed and read again, is the same query', () => {
  fc.assert(
    fc.property(anyQuery, (query) => {
      const text = printQuery(query)
      assert.deepEqual(parseQuery(text, 0), { ok: true, query: normalise(query) }, text)
    }),
    { numRuns: 2000 },
  )
})

test('a normalised query matches what the query matched', () => {
  fc.assert(
    fc.property(anyQuery, fc.array(anyLog, { minLength: 5, maxLength: 10 }), (query, logs) => {
      const matches = compilePredicate(query)
      const matchesNormalised = compilePredicate(normalise(query))
      for (const log of logs) assert.equal(matchesNormalised(log), matches(log))
    }),
    { numRuns: 300 },
  )
})

test('any text is read or refused with a column inside it and a hint', () => {
  const pieces = fc.constantFrom(...['host:', '(', ')', '"', '/', '\\', '[', ' TO ', ']', ' AND '])
  const more = fc.constantFrom(
    ...[' OR ', 'NOT ', '!', '-', '*', '>=', 'timestamp:', 'a', ' ', '&&'],
  )
  fc.assert(
    fc.property(fc.array(fc.oneof(pieces, more, fc.string({ maxLength: 3 }))), (parts) => {
      const text = parts.join('')
      const parsed = parseQuery(text, 0)
      if (parsed.ok) return
      assert.ok(parsed.error.column >= 1 && parsed.error.column <= text.length + 1)
      assert.ok(parsed.error.message && parsed.error.hint)
    }),
    { numRuns: 3000 },
  )
})
