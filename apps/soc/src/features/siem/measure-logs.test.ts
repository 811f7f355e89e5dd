import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { test } from 'node:test'
import { Registry } from 'prom-client'
import { openDuckdbLogs } from '../../adapters/duckdb-logs.ts'
import { createMeter } from '../../core/metrics/meter.ts'
import type { SearchRequest } from '../../ports/log-store.ts'
import { silentLog } from '../../testing/test-postgres.ts'
import { measureLogs } from './measure-logs.ts'

const EVERYTHING: SearchRequest = {
  query: { kind: 'all' },
  time: {},
  ...{ skip: 0, limit: 10, order: 'desc', countUpTo: 0 },
}

test('a call of the log store is counted by how it ended', async (t) => {
  const directory = mkdtempSync(path.join(tmpdir(), 'measured-'))
  t.after(() => rmSync(directory, { recursive: true, force: true }))
  const registry = new Registry()
  const logs = measureLogs(openDuckdbLogs({ directory, log: silentLog }), createMeter(registry))
  const searches = async () => {
    const lines = (await registry.metrics()).split('\n')
    return lines.filter((line) => line.startsWith('soc_log_store_calls_total{call="search"'))
  }

  await logs.search(EVERYTHING)
  await assert.rejects(logs.search(EVERYTHING, { signal: AbortSignal.abort() }))
  await logs.close()
  await assert.rejects(logs.search(EVERYTHING), /the log store is closed/)
  assert.deepEqual(await searches(), [
    'soc_log_store_calls_total{call="search",outcome="ok"} 1',
    'soc_log_store_calls_total{call="search",outcome="cancelled"} 1',
    'soc_log_store_calls_total{call="search",outcome="failed"} 1',
  ])
})
