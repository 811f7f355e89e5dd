import assert from 'node:assert/strict'
import { test } from 'node:test'
import { patternQuery } from '@manara/log-query/normalise'
import { parseQuery } from '@manara/log-query/parse'
import { wildcardParts } from '@manara/log-query/wildcards'
import { wholeQuery } from './whole-query.ts'

const ANY = { query: '', source: null, host: null, severity: null }

const HUNTS: [Partial<typeof ANY> | Record<string, string>, string][] = [
  [{}, ''],
  [{ query: 'a OR b' }, 'a OR b'],
  [{ query: 'a OR b', host: 'web-1' }, 'host:web-1 AND (a OR b)'],
  [{ source: 'Windows Security', severity: 'high' }, 'source:"Windows Security" AND severity:high'],
  [{ query: 'a', host: 'web-*', source: '' }, 'host:web-* AND (a)'],
  [{ host: 'floor 2/*' }, 'host:"floor 2/"*'],
  [{ host: 'a\\*b*' }, 'host:a"*"b*'],
]

for (const [hunt, whole] of HUNTS) {
  test(`what is hunted for, as one query: ${whole}`, () => {
    assert.equal(wholeQuery({ ...ANY, ...hunt }), whole)
    assert.ok(parseQuery(whole, 0).ok)
  })
}

for (const host of [
  'web-*',
  '?eb',
  'a b*',
  'a\\b',
  'a\\*b*',
  'a\\?',
  '\\\\*',
  '\\\\srv\\share*',
  'a"b*',
]) {
  test(`a host is hunted for as it is shown: ${host}`, () => {
    const shown = parseQuery(wholeQuery({ ...ANY, host }), 0)
    const run = patternQuery('host', { kind: 'pattern', parts: wildcardParts(host) })
    assert.deepEqual(shown.ok && shown.query, run)
  })
}
