import assert from 'node:assert/strict'
import { test } from 'node:test'
import { unsuited } from './suited.ts'

const good = { version: '15.2', major: 15, encoding: 'UTF8', is_new: true }

test('a server that is older than 15 is refused, in use or not', () => {
  assert.equal(unsuited(good), undefined)
  for (const is_new of [true, false]) {
    assert.match(
      unsuited({ ...good, version: '14.9 (Debian)', major: 14, is_new }) ?? '',
      /PostgreSQL 14\.9 \(Debian\): it must be 15 or newer/,
    )
  }
})

test('a new database that cannot hold every letter is refused, one in use goes on', () => {
  assert.match(
    unsuited({ ...good, encoding: 'LATIN1' }) ?? '',
    /LATIN1: create it with ENCODING 'UTF8' LOCALE/,
  )
  assert.equal(unsuited({ ...good, encoding: 'LATIN1', is_new: false }), undefined)
})
