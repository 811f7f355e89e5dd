import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import type { TestContext } from 'node:test'
import { createLogger } from '@manara/kit/logging'
import { describeLogStore } from '../ports/log-store.contract.ts'
import { describeRewriting } from '../ports/log-store-rewrite.contract.ts'
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
