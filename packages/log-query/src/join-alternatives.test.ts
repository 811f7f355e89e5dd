import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import type { Query } from './ast.ts'
import { countConditions, joinAlternatives } from './join-alternatives.ts'
import { compilePredicate } from './predicate.ts'
import { anyLog, anyQuery } from './testing/arbitrary.ts'

const word = (field: string, text: string): Query => ({
  kind: 'field',
  field,
  match: { kind: 'pattern', parts: [text] },
})

test('a list of thousands is a handful of conditions', () => {
  const values = Array.from({ length: 20_000 }, (_, index) => `value-${index}`)
  const queries = values.map((value) => word('Image', value))
  const joined = joinAlternatives({ kind: 'or', queries: [...queries, word('user', 'root')] })
  assert.ok(countConditions(joined) < 200)
  assert.equal(countConditions({ kind: 'or', queries }), 20_000)
  const refusals = queries.map((query): Query => ({ kind: 'not', query }))
  assert.ok(countConditions(joinAlternatives({ kind: 'and', queries: refusals })) < 200)
})

const many = fc.array(anyQuery, { maxLength: 6 })

test('what is joined finds the same', () => {
  const logs = fc.sample(anyLog, { numRuns: 60, seed: 3 })
  fc.assert(
    fc.property(many, fc.boolean(), fc.context(), (queries, isRefusal, context) => {
      const query: Query = isRefusal
        ? { kind: 'and', queries: queries.map((one): Query => ({ kind: 'not', query: one })) }
        : { kind: 'or', queries }
      const joined = joinAlternatives(query, 2)
      context.log(JSON.stringify(joined))
      const [before, after] = [compilePredicate(query), compilePredicate(joined)]
      for (const log of logs) assert.equal(after(log), before(log))
    }),
    { numRuns: 200 },
  )
})
