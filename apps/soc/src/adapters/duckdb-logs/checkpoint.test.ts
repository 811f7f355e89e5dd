import assert from 'node:assert/strict'
import { mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { type TestContext, test } from 'node:test'
import { setImmediate } from 'node:timers/promises'
import { asking, storedLog } from '../../ports/log-store.contract.ts'
import type { Partition } from './database.ts'
import { openEngine } from './engine.ts'
import { packLogs } from './pack-logs.ts'
import { readPacked } from './packed-logs.ts'
import { closeStore, openStore } from './store.ts'
import { createWriter } from './writer.ts'

function settingsIn(t: TestContext, leastLogBytes = 0) {
  const directory = mkdtempSync(path.join(tmpdir(), 'checkpoint-'))
  t.after(() => rmSync(directory, { recursive: true, force: true }))
  return {
    ...{ directory, memoryMb: 256, segmentEvents: 30, partitionEvents: 1_000, filterMb: 8 },
    ...{ reserveMb: 0, checkpoints: { events: 100, leastLogBytes } },
  }
}

/** Appends so many at a time with searches between, and closes; answers whether a log is left. */
async function leavesLog(t: TestContext, counts: number[], leastLogBytes = 0) {
  const settings = settingsIn(t, leastLogBytes)
  const open = () =>
    openEngine(
      settings,
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
  const hasLog = readdirSync(settings.directory).some((file) => file.endsWith('.wal'))
  const again = await open()
  assert.equal((await again.search(asking('*'), {})).total, stored)
  await again.close()
  return hasLog
}

test('a stop leaves no log that the next start would take long to read', async (t) => {
  assert.ok(!(await leavesLog(t, [40])))
  assert.ok(!(await leavesLog(t, [40, 70, 70, 40])))
  assert.ok(await leavesLog(t, [40, 70], 2 ** 30), 'a short one is left')
})

/** A writer whose files are settled when the test says so. */
async function openHeld(t: TestContext, leastLogBytes = 0) {
  const settings = settingsIn(t, leastLogBytes)
  const warnings: string[] = []
  const warn = (text: string) => void warnings.push(text)
  const store = await openStore(settings, warn)
  const { settle } = store.database
  let held: { partition: Partition; end: PromiseWithResolvers<void> } | undefined
  store.database.isSettling = (partition) => held?.partition === partition
  store.database.settle = async (partition) => {
    held = { partition, end: Promise.withResolvers() }
    try {
      await held.end.promise
      await settle(partition)
    } finally {
      held = undefined
    }
  }
  const writer = await createWriter(store, settings, warn, async () => {})
  let stored = 0
  return {
    settings,
    warnings,
    held: () => held,
    /** Answers the files of all events so far, by when they came in. */
    async append(count: number) {
      const logs = Array.from({ length: count }, (_, at) => storedLog({ id: `${stored + at}` }))
      await writer.append(0, [readPacked(packLogs(logs))])
      // What follows a commit is done when the next begins.
      await writer.append(0, [])
      stored += count
      return store.segments.map(({ partition, events }) => `${partition.name.slice(-3)}: ${events}`)
    },
    async close() {
      store.database.settle = settle
      held?.end.resolve()
      await writer.close()
      closeStore(store)
    },
  }
}

test('a checkpoint is begun with the commit that fills a row group, not before', async (t) => {
  const store = await openHeld(t)
  await store.append(40)
  await store.append(59)
  assert.equal(store.held(), undefined)
  await store.append(1)
  const first = store.held()
  assert.match(first?.partition.name ?? '', /-001$/)
  first?.end.resolve()
  await untilHeld(() => store.held() === undefined)
  await store.append(40)
  assert.equal(store.held(), undefined)
  await store.close()
})

test('none is begun while the log is short, since another has just been', async (t) => {
  const store = await openHeld(t, 2 ** 30)
  await store.append(110)
  assert.equal(store.held(), undefined)
  await store.close()
})

test('while a file is settled the next events go to another, and later back to the first', async (t) => {
  const store = await openHeld(t)
  await store.append(110)
  const first = store.held()
  assert.match(first?.partition.name ?? '', /-001$/)
  assert.deepEqual((await store.append(40)).slice(-3), ['001: 20', '002: 30', '002: 10'])
  assert.deepEqual((await store.append(70)).at(-1), '002: 20')
  assert.equal(store.held(), first, 'the second waits for the first to be done')
  assert.deepEqual((await store.append(5)).at(-1), '002: 25', 'and goes on meanwhile')
  first?.end.resolve()
  // Also when nothing comes in any more.
  await untilHeld(() => store.held()?.partition.name.endsWith('-002') === true)
  assert.deepEqual((await store.append(7)).slice(-2), ['002: 25', '001: 7'])
  await store.close()

  const engine = await openEngine(
    store.settings,
    () => {},
    () => {},
  )
  await engine.append([packLogs([storedLog({ id: 'after' })])])
  assert.equal((await engine.search(asking('*'), {})).total, 233)
  await engine.close()
  const files = readdirSync(store.settings.directory).filter((file) => file.endsWith('.duckdb'))
  assert.equal(files.length, 2, 'a start goes on with both')
})

test('a file that cannot be settled is told once, and tried again when more has come in', async (t) => {
  const store = await openHeld(t, 1)
  await store.append(100)
  for (let time = 0; time < 2; time++) {
    const failing = store.held()
    failing?.end.reject(new Error('there is no room'))
    await untilHeld(() => store.held() !== failing)
    await store.append(1)
    assert.ok(store.held(), 'tried again')
  }
  assert.equal(store.warnings.length, 1)
  assert.match(store.warnings[0] ?? '', /write-ahead log of .*-001 stays, and grows.*no room/)
  await store.close()
})

/** What was let go goes on in turns of its own. */
async function untilHeld(isSo: () => boolean) {
  while (!isSo()) await setImmediate()
}
