import assert from 'node:assert/strict'
import { test } from 'node:test'
import { DuckDBInstance } from '@duckdb/node-api'
import fc from 'fast-check'
import type { StoredLog } from '../../ports/log-store.ts'
import { isLayoutKnown } from './fill-vectors.ts'
import { COLUMN_LIST, CREATE_LOGS, toChunk, toLog } from './rows.ts'

/** Of all lengths around the twelve bytes that stand in place, and of letters of one to four bytes. */
const anyText = fc.oneof(
  fc.string({ unit: fc.constantFrom(...'aZ09 .:"\\\n\x1fé漢😀'), maxLength: 40 }),
  fc.nat(30).map((length) => 'x'.repeat(length)),
)
const anyColumn = fc.option(anyText)
const anyMoment = fc.integer({ min: -(2 ** 40), max: 2 ** 43 })

const anyLog: fc.Arbitrary<StoredLog> = fc.record(
  {
    id: anyText,
    at: anyMoment,
    received_at: anyMoment,
    source: anyText,
    host: anyColumn,
    severity: fc.constantFrom('info', 'high'),
    message: fc.oneof(
      anyText,
      fc.nat(9_000).map((length) => 'é'.repeat(length)),
    ),
    user: anyColumn,
    process: anyColumn,
    event_code: anyColumn,
    src_ip: anyColumn,
    dst_ip: anyColumn,
    original: anyColumn,
    fields: fc.dictionary(
      anyText,
      fc.oneof(anyColumn, fc.integer(), fc.boolean(), fc.array(anyColumn)),
      { noNullPrototype: true },
    ),
  },
  { noNullPrototype: true },
)

test('columns written by bytes hold what the engine writes itself, and are stored as they were', async () => {
  assert.ok(isLayoutKnown(), 'else the quick way is not taken')
  const instance = await DuckDBInstance.create(':memory:')
  const connection = await instance.connect()
  await connection.run(CREATE_LOGS)
  await fc.assert(
    fc.asyncProperty(fc.array(anyLog, { minLength: 1, maxLength: 80 }), async (logs) => {
      const chunk = toChunk(logs, 7, true)
      assert.deepEqual(chunk.getRows(), toChunk(logs, 7, false).getRows())

      await connection.run('DELETE FROM logs')
      const appender = await connection.createAppender('logs')
      appender.appendDataChunk(chunk)
      appender.closeSync()
      const stored = await connection.runAndReadAll(`SELECT ${COLUMN_LIST} FROM logs`)
      assert.deepEqual(stored.getRows().map(toLog), logs)
    }),
    { numRuns: 60 },
  )
  connection.closeSync()
  instance.closeSync()
})
