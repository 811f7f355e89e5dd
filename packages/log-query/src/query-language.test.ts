import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import type { LogRecord } from './event.ts'
import { parseQuery } from './parse.ts'
import { compilePredicate } from './predicate.ts'

const PAGE = readFileSync(new URL('../../../docs/query-language.md', import.meta.url), 'utf8')
const NOW = Date.UTC(2026, 2, 3, 12)

const [, json = ''] = /```json\n(\[.*?\n\])\n```/s.exec(PAGE) ?? []
const EVENTS = (JSON.parse(json) as (LogRecord & { timestamp: string })[]).map((event) => ({
  ...event,
  at: Date.parse(event.timestamp),
}))

const EXAMPLES = [...PAGE.matchAll(/^\| `(.+?)` \| ([a-z, ]*?) ?\| /gm)].map(
  ([, query, found]) => ({
    query: (query ?? '').replaceAll('\\|', '|'),
    found: (found ?? '').trim(),
  }),
)

test('the page has its examples', () => assert.ok(EXAMPLES.length > 40))

for (const { query, found } of EXAMPLES) {
  test(`${query} finds ${found || 'nothing'}`, () => {
    const parsed = parseQuery(query, NOW)
    assert.ok(parsed.ok, JSON.stringify(parsed))
    const matches = compilePredicate(parsed.query)
    const ids = EVENTS.filter(matches).map(({ id }) => id)
    assert.equal(ids.join(', '), found)
  })
}
