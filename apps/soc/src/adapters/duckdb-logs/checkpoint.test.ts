import assert from 'node:assert/strict'
import { mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { type TestContext, test } from 'node:test'
import { asking, storedLog } from '../../ports/log-store.contract.ts'
import { openEngine } from './engine.ts'
import { packLogs } from './pack-logs.ts'

/** Appends so many at a time with searches between, and closes; answers whether a log is left. */
async function leavesLog(t: TestContext, counts: number[], leastLogBytes = 0) {
  const directory = mkdtempSync(path.join(tmpdir(), 'checkpoint-'))
  t.after(() => rmSync(directory, { recursive: true, force: true }))
  const open = () =>
    openEngine(
      {
        directory,
        memoryMb: 256,
        segmentEvents: 30,
        partitionEvents: 1_000,
        filterMb: 8,
        reserveMb: 0,
        checkpoints: { events: 100, leastLogBytes },
      },
      () => {},
      () => {},
    )
  const engine = await open()
  let stored = 0
  for (const count of counts) {
    const logs = Array.from({ length: count }, (_, at) => storedLog({ id: `${stored + at}` }))
    const searching = engine.search(asking('*'), {})
    await engine.append([packLogs(logs)])
    stored += count
    await searching
  }
  await engine.close()
  const hasLog = readdirSync(directory).some((file) => file.endsWith('.wal'))
  const again = await open()
  assert.equal((await again.search(asking('*'), {})).total, stored)
  await again.close()
  return hasLog
}

test('a checkpoint is made with the commit that fills a row group, not before', async (t) => {
  assert.ok(await leavesLog(t, [40, 59]))
  assert.ok(!(await leavesLog(t, [40, 60])))
  assert.ok(await leavesLog(t, [40, 60, 40]))
  assert.ok(!(await leavesLog(t, [40, 70, 70, 40])))
})

test('none is made while the log is short, since another has just been', async (t) => {
  assert.ok(await leavesLog(t, [40, 70], 2 ** 30))
})
