import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { type TestContext, test } from 'node:test'
import { createLogger } from '@manara/kit/logging'
import { describeLogStore } from '../ports/log-store.contract.ts'
import { describeRewriting } from '../ports/log-store-rewrite.contract.ts'
import { storedLog } from '../testing/stored-log.ts'
import { openDuckdbLogs } from './duckdb-logs.ts'

const log = createLogger({ service: 'test', level: 'silent', pretty: false })

function newDirectory(t: TestContext) {
  const directory = mkdtempSync(path.join(tmpdir(), 'duckdb-logs-'))
  t.after(() => rmSync(directory, { recursive: true, force: true }))
  return directory
}

/** Small segments, so that a few events fill many. */
async function open(t: TestContext) {
  const store = openDuckdbLogs({ directory: newDirectory(t), log, segmentEvents: 7 })
  t.after(() => store.close())
  return store
}

describeLogStore('DuckDB', open)
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
