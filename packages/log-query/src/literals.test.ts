import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import type { Query } from './ast.ts'
import { type LogRecord, locate } from './event.ts'
import { allFolded, foldedAt, type Texts, viewOf } from './event-view.ts'
import { type Literal, requiredLiterals } from './literals.ts'
import { parseQuery } from './parse.ts'
import { compilePredicate } from './predicate.ts'
import { anyLog, anyQuery } from './testing/arbitrary.ts'

test('an event that matches contains what the query requires', () => {
  fc.assert(
    fc.property(anyQuery, fc.array(anyLog, { minLength: 5, maxLength: 10 }), (query, logs) => {
      const matches = compilePredicate(query)
      const clauses = requiredLiterals(query)
      for (const log of logs) {
        if (!matches(log)) continue
        for (const clause of clauses) assert.ok(clause.some((literal) => contains(log, literal)))
      }
    }),
    { numRuns: 1500 },
  )
})

function contains(log: LogRecord, literal: Literal): boolean {
  const view = viewOf(log)
  if (literal.field === undefined)
    return allFolded(view).some((text) => text.includes(literal.text))
  const location = locate(literal.field)
  if (location.kind === 'timestamp') return false
  return list(foldedAt(view, location)).some(
    (text) =>
      text.includes(literal.text) &&
      (!literal.isStart || text.startsWith(literal.text)) &&
      (!literal.isEnd || text.endsWith(literal.text)),
  )
}

function list(texts: Texts): string[] {
  return texts === null ? [] : typeof texts === 'string' ? [texts] : texts
}

const EXAMPLES: [query: string, literals: string[][]][] = [
  ['failed password', [['failed'], ['password']]],
  ['host:web-* AND (user:root OR "Admin")', [['web-'], ['root', 'admin']]],
  ['a OR NOT b', []],
  ['x:/foo\\.bar[0-9]+baz?/', [['foo.bar']]],
  ['x:/foo\\.exe\\d{100}/c', [['foo.exe']]],
  ['x:/pass(word)?/', []],
  ['src_ip:10.1.0.0/16', [['10.1.']]],
  ['x:>5 AND y:*', []],
]

for (const [text, expected] of EXAMPLES) {
  test(`${text} requires ${JSON.stringify(expected)}`, () => {
    const found = requiredLiterals(read(text)).map((clause) =>
      clause.map((literal) => literal.text),
    )
    assert.deepEqual(found, expected)
  })
}

function read(text: string): Query {
  const parsed = parseQuery(text, 0)
  assert.ok(parsed.ok)
  return parsed.query
}
