import assert from 'node:assert/strict'
import { test } from 'node:test'
import { markedWords, rangeOf, tokenAt, viewOf, withCondition } from './view.ts'

const NOW = Date.parse('2026-11-15T12:00:00Z')

test('a stretch that was drawn comes before the last hours', () => {
  assert.deepEqual(rangeOf(viewOf(''), NOW), { from: '2026-11-14T12:00:00.000Z' })
  assert.deepEqual(rangeOf(viewOf('?last=15m'), NOW), { from: '2026-11-15T11:45:00.000Z' })
  assert.deepEqual(rangeOf(viewOf('?last=all'), NOW), {})
  assert.deepEqual(rangeOf(viewOf('?last=nonsense&from=a&to=b'), NOW), { from: 'a', to: 'b' })
})

test('a value is asked for or left out, without changing what was asked before', () => {
  assert.equal(withCondition('', 'host', 'web-1', true), 'host:web-1')
  assert.equal(withCondition('a OR b', 'user', 'Kim Lee', false), '(a OR b) AND NOT user:"Kim Lee"')
  assert.equal(withCondition('x', 'path', 'C:\\a b', true), 'x AND path:"C:\\\\a b"')
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
