import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { type TestContext, test } from 'node:test'
import { createLogger } from '@manara/kit/logging'
import { describeLogStore } from '../ports/log-store.contract.ts'
import { describeLogCounts } from '../ports/log-store-counts.contract.ts'
import { describeIds } from '../ports/log-store-ids.contract.ts'
import { describeRewriting } from '../ports/log-store-rewrite.contract.ts'
import { storedLog } from '../testing/stored-log.ts'
import { openDuckdbLogs } from './duckdb-logs.ts'

const log = createLogger({ service: 'test', level: 'silent', pretty: false })

function newDirectory(t: TestContext) {
  const directory = mkdtempSync(path.join(tmpdir(), 'duckdb-logs-'))
  t.after(() => rmSync(directory, { recursive: true, force: true }))
  return directory
}

const segmentsOf = (segmentEvents: number) => async (t: TestContext) => {
  const store = openDuckdbLogs({ directory: newDirectory(t), log, segmentEvents })
  t.after(() => store.close())
  return store
}
/** Small segments, so that a few events fill many. */
const open = segmentsOf(7)

describeLogStore('DuckDB', open, segmentsOf(25))
describeLogCounts('DuckDB', open)
describeIds('DuckDB', open)
describeRewriting('DuckDB', open)

test('of large events a scan hands over few at once: the service takes each batch in one go', async (t) => {
  const store = await open(t)
  const logs = Array.from({ length: 12 }, (_, n) =>
    storedLog({ at: n, message: 'a'.repeat(n % 2 === 0 ? 900_000 : 10) }),
  )
  await store.append(logs)
  const batches: string[][] = []
  for await (const batch of store.scan({ query: { kind: 'all' }, time: {} })) {
    batches.push(batch.map(({ id }) => id))
  }
  assert.deepEqual(
    batches.flat(),
    logs.map(({ id }) => id),
  )
  assert.deepEqual(
    batches.map(({ length }) => length),
    [2, 2, 2, 2, 2, 2],
  )
})

test('the most frequent values are right whether there are few different ones or tens of thousands', async (t) => {
  const store = openDuckdbLogs({ directory: newDirectory(t), log, segmentEvents: 500 })
  t.after(() => store.close())
  const logs = Array.from({ length: 21_000 }, (_, n) =>
    storedLog({
      at: n,
      host: n % 10 === 0 ? `often-${n % 30}` : `once-${n}`,
      user: `user-${n % 7}`,
    }),
  )
  await store.append(logs.slice(0, 11_000))
  await store.append([...logs.slice(11_000), storedLog({ at: 0, host: 'once-1' })])
  for (let more = 0; more < 2; more++) {
    await store.append(Array.from({ length: 1_500 }, (_, n) => storedLog({ host: `${more} ${n}` })))
  }
  const top = async (field: string) =>
    (await store.topValues({ query: { kind: 'all' }, time: {}, field, limit: 4 })).values
  assert.deepEqual(
    (await top('host')).map(({ value, count }) => [value, count]),
    [
      ['often-0', 700],
      ['often-10', 700],
      ['often-20', 700],
      ['once-1', 2],
    ],
  )
  assert.deepEqual(
    (await top('user')).map(({ value, count }) => [value, count]),
    [0, 1, 2, 3].map((n) => [`user-${n}`, 3_000]),
  )
})
