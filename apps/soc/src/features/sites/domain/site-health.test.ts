import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type Reported, siteHealth } from './site-health.ts'

const NOW = Date.parse('2026-03-02T12:00:00Z')
const minutesAgo = (minutes: number) => NOW - minutes * 60_000
const source = (minutes: number | null) => ({
  source: 'fw',
  lastAt: minutes === null ? null : minutesAgo(minutes),
})
const endpoints = (total: number, silent: number) => ({
  kind: 'endpoints' as const,
  total,
  silent,
  lastAt: minutesAgo(1),
})

const CASES: [string, Reported, string][] = [
  ['nothing declared', { logSources: [], machines: [] }, 'unknown'],
  ['a source within the hour', { logSources: [source(59)], machines: [] }, 'healthy'],
  ['a source longer ago', { logSources: [source(61)], machines: [] }, 'silent'],
  ['a source that never sent', { logSources: [source(null)], machines: [] }, 'silent'],
  ['one of two sources', { logSources: [source(1), source(90)], machines: [] }, 'degraded'],
  ['some endpoints silent', { logSources: [], machines: [endpoints(3, 1)] }, 'degraded'],
  [
    'a source down, endpoints up',
    { logSources: [source(90)], machines: [endpoints(3, 0)] },
    'degraded',
  ],
  ['all endpoints up', { logSources: [], machines: [endpoints(3, 0)] }, 'healthy'],
]

for (const [name, reported, status] of CASES) {
  test(`${name}: ${status}`, () => assert.equal(siteHealth(reported, NOW).status, status))
}

test('an event from the future counts as now', () => {
  const { last_event_at } = siteHealth({ logSources: [source(-600)], machines: [] }, NOW)
  assert.equal(last_event_at, '2026-03-02T12:00:00.000Z')
})
