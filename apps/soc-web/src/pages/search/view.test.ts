import assert from 'node:assert/strict'
import { test } from 'node:test'
import { parseQuery } from '@manara/log-query/parse'
import { compilePredicate } from '@manara/log-query/predicate'
import { markedWords, rangeOf, toggledColumn, tokenAt, viewOf, withCondition } from './view.ts'

const NOW = Date.parse('2026-11-15T12:00:00Z')

test('a stretch that was drawn comes before the last hours', () => {
  assert.deepEqual(rangeOf(viewOf(''), NOW), { from: '2026-11-14T12:00:00.000Z' })
  assert.deepEqual(rangeOf(viewOf('?last=15m'), NOW), { from: '2026-11-15T11:45:00.000Z' })
  assert.deepEqual(rangeOf(viewOf('?last=all'), NOW), {})
  assert.deepEqual(rangeOf(viewOf('?last=nonsense&from=a&to=b'), NOW), { from: 'a', to: 'b' })
})

test('a source that a link names is a condition that is seen', () => {
  assert.equal(viewOf('?source=auth').q, 'source:auth')
  assert.equal(viewOf('?source=Win+Security&q=a+OR+b').q, '(a OR b) AND source:"Win Security"')
})

test('a column comes before the message, and goes when it is there', () => {
  assert.deepEqual(toggledColumn(['host', 'message'], 'user'), ['host', 'user', 'message'])
  assert.deepEqual(toggledColumn(['host', 'user', 'message'], 'host'), ['user', 'message'])
  assert.deepEqual(toggledColumn(['host'], 'message'), ['host', 'message'])
})

test('a value is asked for or left out, without changing what was asked before', () => {
  assert.equal(withCondition('', 'host', 'web-1', true), 'host:web-1')
  assert.equal(withCondition('a OR b', 'user', 'Kim Lee', false), '(a OR b) AND NOT user:"Kim Lee"')
  assert.equal(withCondition('x', 'path', 'C:\\a b', true), 'x AND path:"C:\\\\a b"')
})

test('a condition on any field and value of an event finds that event, or leaves it out', () => {
  const values = [
    '/usr/bin/ssh',
    '-',
    'OR',
    'a*b',
    'CORP\\kim',
    'C:\\x\\',
    '10.0.0.0/8',
    'say "hi"',
    'Special privileges.\r\n\r\nSubject:\r\n\tSecurity ID:\t\tS-1-5-18\r\n',
    '\t',
    Array.from({ length: 60 }, (_, n) => `/${n} (é) "a" [b] C:\\p`).join('\r\n'),
    '',
  ]
  const fields: Record<string, string> = Object.fromEntries([
    ...values.map((value, at) => [`f${at}`, value]),
    ...[
      ['user agent', 'curl'],
      ['a:b', 'c'],
      ['not', 'd'],
    ],
  ])
  const log = {
    ...{ id: '1', timestamp: '2026-11-15T12:00:00.000Z', source: 's', host: 'h', severity: 'info' },
    ...{ message: 'm', user: null, process: null, event_code: null, src_ip: null, dst_ip: null },
    fields,
  }
  const finds = (q: string) => {
    const result = parseQuery(q, NOW)
    return result.ok ? compilePredicate(result.query)(log as never) : result.error
  }
  for (const [name, value] of Object.entries(fields)) {
    assert.equal(finds(withCondition('', name, value, true)), true, `${name} ${value}`)
    assert.equal(finds(withCondition('', name, value, false)), false, `${name} ${value}`)
    assert.equal(finds(withCondition('', name, 'else', true)), false, `${name} ${value}`)
  }
})

test('a condition is for all that was asked before, however it was joined', () => {
  for (const either of ['a OR b', 'a||b', 'a || b']) {
    assert.equal(withCondition(either, 'host', 'web-1', true), `(${either}) AND host:web-1`)
  }
})

test('what is typed is a name, or a value behind it', () => {
  assert.deepEqual(tokenAt('host:web AND us', 15), { start: 13, text: 'us', field: null })
  assert.deepEqual(tokenAt('(host:we', 8), { start: 6, text: 'we', field: 'host' })
  assert.deepEqual(tokenAt('', 0), { start: 0, text: '', field: null })
})

test('words that were searched for are marked, fields and words left out are not', () => {
  assert.deepEqual(markedWords('host:web-1 AND "failed password" AND NOT user:root'), [
    'host',
    'web-1',
    'failed password',
  ])
})
