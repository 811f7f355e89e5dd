import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { type TestContext, test } from 'node:test'
import { setImmediate } from 'node:timers/promises'
import { asking, NOW, selecting, storedLog } from '../../ports/log-store.contract.ts'
import type { StoredLog } from '../../ports/log-store.ts'
import { openEngine } from './engine.ts'
import { loadDerived } from './load-derived.ts'
import { packLogs } from './pack-logs.ts'
import { NO_BUDGET, nothingTaken } from './readers.ts'
import { searchLogs } from './search.ts'
import { closeStore, openStore } from './store.ts'

const SETTINGS = {
  ...{ memoryMb: 256, segmentEvents: 30, partitionEvents: 10_000, filterMb: 8 },
  ...{ reserveMb: 0, checkpoints: undefined },
}

/**
 * How many events the engine gives for each that is read page by page, on a machine on which every
 * statement takes so long that a slice never has more than it must.
 */
async function readForEach(t: TestContext, logs: StoredLog[], limit: number): Promise<number> {
  const directory = mkdtempSync(path.join(tmpdir(), 'search-'))
  t.after(() => rmSync(directory, { recursive: true, force: true }))
  const settings = { ...SETTINGS, directory }
  const engine = await openEngine(
    settings,
    () => {},
    () => {},
  )
  await engine.append([packLogs(logs)])
  await engine.close()

  const store = await openStore(settings, () => {})
  await loadDerived(store, settings.filterMb)
  const { read } = store.readers
  const budget = { ...NO_BUDGET, taken: nothingTaken() }
  let [given, seen] = [0, 0]
  store.readers.read = async (...asked) => {
    const rows = await read(...asked)
    given += rows.length
    budget.taken.lastMs = 1_000
    return rows
  }
  const page = { ...selecting('*'), skip: 0, limit, order: 'asc', countUpTo: 0 } as const
  let after: StoredLog | undefined
  do {
    const found = await searchLogs(store, { ...page, after }, undefined, budget)
    seen += found.logs.length
    after = found.logs.at(-1)
  } while (after)
  assert.equal(seen, logs.length)
  store.readers.close()
  closeStore(store)
  return given / seen
}

const arriving = (count: number, atOf: (place: number) => number) =>
  Array.from({ length: count }, (_, place) =>
    storedLog({ id: `e-${place}`, at: NOW + atOf(place), received_at: NOW + place * 1_000 }),
  )

test('a page reads what it gives, and little more', async (t) => {
  const logs = arriving(1_800, (place) => place * 1_000)
  assert.ok((await readForEach(t, logs, 30)) < 1.1)
})

test('also where one sender has a clock that is behind', async (t) => {
  const logs = arriving(900, (place) => (place % 10 === 0 ? place - 300 : place) * 1_000)
  assert.ok((await readForEach(t, logs, 30)) < 3)
})

test('and where many came in one millisecond', async (t) => {
  const logs = arriving(900, (place) => Math.floor(place / 300) * 1_000)
  assert.ok((await readForEach(t, logs, 25)) < 4)
})

test('searches whose callers have all gone leave no failure behind that nobody awaits', async (t) => {
  const directory = mkdtempSync(path.join(tmpdir(), 'search-'))
  const engine = await openEngine(
    { ...SETTINGS, directory },
    () => {},
    () => {},
  )
  t.after(async () => {
    await engine.close()
    rmSync(directory, { recursive: true, force: true })
  })
  const logs = Array.from({ length: 3_000 }, (_, at) => storedLog({ id: `${at}` }))
  await engine.append([packLogs(logs)])

  const request = asking('message:e*', { countEvents: 10_000 })
  for (let turns = 0; turns < 20; turns++) {
    const gone = new AbortController()
    // More than there are connections: what counts beside the first rows of each waits for its turn.
    const left = Array.from({ length: 12 }, () => engine.search(request, { signal: gone.signal }))
    const ended = Promise.allSettled(left)
    for (let turn = 0; turn < turns; turn++) await setImmediate()
    gone.abort(new Error('the caller has gone'))
    await ended
  }
  assert.equal((await engine.search(request, {})).total, 3_000)
})
