import assert from 'node:assert/strict'
import { test } from 'node:test'
import { DuckDBInstance } from '@duckdb/node-api'
import { fold } from '@manara/log-query/fold'

test('fold and lower() agree on every code point', async () => {
  const instance = await DuckDBInstance.create(':memory:')
  const connection = await instance.connect()
  const codes = 'SELECT unnest(range(1, 1114112))::INT AS code'
  const found = await connection.runAndReadAll(
    // The mark in front keeps U+FEFF from being taken for a byte order mark.
    `SELECT code, '.' || lower(chr(code)) FROM (${codes}) WHERE code NOT BETWEEN 55296 AND 57343`,
  )
  const differing = found
    .getRows()
    .filter(([code, lower]) => `.${fold(String.fromCodePoint(Number(code)))}` !== lower)
  connection.closeSync()
  instance.closeSync()
  assert.deepEqual(differing, [])
})
