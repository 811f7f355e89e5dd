import assert from 'node:assert/strict'
import { test } from 'node:test'
import { DuckDBInstance } from '@duckdb/node-api'
import fc from 'fast-check'
import type { StoredLog } from '../../ports/log-store.ts'
import { isLayoutKnown } from './fill-vectors.ts'
import { packLogs, unpackLogs } from './pack-logs.ts'
import { readPacked } from './packed-logs.ts'
import { readLogs } from './read-logs.ts'
import { COLUMN_LIST, CREATE_LOGS, toChunk } from './rows.ts'

/** Of all lengths around the twelve bytes that stand in place, and of letters of one to four bytes. */
const anyText = fc.oneof(
  fc.string({ unit: fc.constantFrom(...'aZ09 .:"\\\n\x1f\0é漢😀'), maxLength: 40 }),
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

const inOrder = (logs: StoredLog[]) => logs.map((log) => JSON.stringify(log)).toSorted()

test('columns written by bytes hold what the engine writes itself, and are stored as they were', async () => {
  assert.ok(isLayoutKnown(), 'else the quick way is not taken')
  const instance = await DuckDBInstance.create(':memory:')
  const connection = await instance.connect()
  await connection.run(CREATE_LOGS)
  await fc.assert(
    fc.asyncProperty(fc.array(anyLog, { minLength: 1, maxLength: 80 }), async (logs) => {
      // Of two batches, of which the first is not begun with and the second not ended.
      const half = Math.ceil(logs.length / 2)
      const first = readPacked(packLogs([...logs.slice(0, 1), ...logs.slice(0, half)]))
      const second = readPacked(packLogs([...logs.slice(half), ...logs.slice(0, 2)]))
      const slices = [
        { batch: first, from: 1, to: 1 + half },
        { batch: second, from: 0, to: logs.length - half },
      ]
      const chunk = toChunk(slices, 7, true)
      assert.deepEqual(chunk.getRows(), toChunk(slices, 7, false).getRows())

      await connection.run('DELETE FROM logs')
      const appender = await connection.createAppender('logs')
      appender.appendDataChunk(chunk)
      appender.closeSync()
      const read = (sql: string) => connection.runAndReadAll(sql).then((all) => all.getRows())
      const events = `SELECT ${COLUMN_LIST} FROM logs`
      const few = await readLogs(events, logs.length, read)
      assert.deepEqual(few, logs)
      const asMany = await readLogs(events, 10_000, read)
      assert.deepEqual(inOrder(asMany), inOrder(few))
      assert.deepEqual(unpackLogs(packLogs(logs)), logs)
    }),
    { numRuns: 60 },
  )
  connection.closeSync()
  instance.closeSync()
})
