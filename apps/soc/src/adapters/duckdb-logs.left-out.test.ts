import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { test } from 'node:test'
import { createLogger } from '@manara/kit/logging'
import { asking, DAY, ids, NOW, selecting, storedLog } from '../ports/log-store.contract.ts'
import type { LogStore } from '../ports/log-store.ts'
import { openDuckdbLogs } from './duckdb-logs.ts'

const log = createLogger({ service: 'test', level: 'silent', pretty: false })

/** As a program of somebody who looks into it. */
async function lock(file: string) {
  const engine = JSON.stringify(import.meta.resolve('@duckdb/node-api'))
  const source = `
    const { DuckDBInstance } = await import(${engine})
    const instance = await DuckDBInstance.create(${JSON.stringify(file)})
    process.stdout.write('open')
    setInterval(() => instance, 1000)`
  const other = spawn(process.execPath, ['--input-type=module', '-e', source], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  await once(other.stdout, 'data')
  return async () => {
    other.kill('SIGKILL')
    await once(other, 'exit')
  }
}

for (const [away, what] of [
  [1, 'of the last day'],
  [365, 'that a clock made which was ahead'],
] as const)
  test(`events that came while a file ${what} could not be opened stand beside those in it`, async (t) => {
    const directory = mkdtempSync(path.join(tmpdir(), 'duckdb-left-out-'))
    const open = () => openDuckdbLogs({ directory, log, segmentEvents: 5, filterMb: 0 })
    let store: LogStore = open()
    t.after(async () => {
      await store.close()
      rmSync(directory, { recursive: true, force: true })
    })
    const day = (number: number) =>
      Array.from({ length: 7 }, (_, n) =>
        storedLog({
          id: `${number}-${n}`,
          message: `needle-${number}-${n}`,
          received_at: NOW + number * DAY,
        }),
      )
    for (const number of [0, away]) await store.append(day(number))
    await store.close()
    const name = new Date(NOW + away * DAY).toISOString().slice(0, 10)
    const unlock = await lock(path.join(directory, `${name}-001.duckdb`))
    store = open()
    await store.append(day(2))
    assert.equal((await store.search(asking('*'))).total, 14)
    await store.close()
    await unlock()

    store = open()
    const events = [0, away, 2].flatMap(day)
    for (const { id } of events) {
      assert.deepEqual(ids((await store.search(asking(`needle-${id}`))).logs), [id])
    }
    for (const number of [away, 2]) {
      const read = day(number).map((one) => ({ ...one, host: `read-${number}` }))
      assert.equal((await store.rewrite(read)).rewritten, 7)
    }
    const left: string[] = []
    for await (const logs of store.scan(selecting('*'))) left.push(...ids(logs))
    assert.deepEqual(left.toSorted(), ids(events).toSorted())
    assert.equal((await store.search(asking('host:read-2'))).total, 7)
    assert.equal((await store.stats()).events, 21)
  })
