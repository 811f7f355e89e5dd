import assert from 'node:assert/strict'
import { mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { type TestContext, test } from 'node:test'
import { createLogger } from '@manara/kit/logging'
import type { LogStore } from '../ports/log-store.ts'
import { storedLog } from '../testing/stored-log.ts'
import { openDuckdbLogs } from './duckdb-logs.ts'

const log = createLogger({ service: 'test', level: 'silent', pretty: false })
const NOW = Date.UTC(2026, 2, 15, 12)
const DAY = 86_400_000

function setUp(t: TestContext) {
  const directory = mkdtempSync(path.join(tmpdir(), 'duckdb-logs-'))
  const open = () => openDuckdbLogs({ directory, log, segmentEvents: 3 })
  let store = open()
  t.after(async () => {
    await store.close()
    rmSync(directory, { recursive: true, force: true })
  })
  const all = { query: { kind: 'all' }, time: {} } as const
  const page = { skip: 0, limit: 100, order: 'asc', countUpTo: 1_000 } as const
  return {
    /** Five events each, so that one segment is full and one grows. */
    async came(name: string, days: number): Promise<{ duplicates: number }> {
      const at = NOW + days * DAY
      return store.append(
        Array.from({ length: 5 }, (_, n) => storedLog({ id: `${name}-${n}`, at, received_at: at })),
      )
    },
    async restart() {
      await store.close()
      store = open()
    },
    retain: (retention: Partial<Parameters<LogStore['retain']>[0]>, days: number) =>
      store.retain(
        { days: undefined, bytes: undefined, daysBySource: {}, ...retention },
        NOW + days * DAY,
      ),
    /** By the first part of their ids. */
    async left() {
      const { logs, total } = await store.search({ ...all, ...page })
      assert.equal(logs.length, total)
      return [...new Set(logs.map(({ id }) => id.split('-')[0]))].toSorted()
    },
    async within(time: { from: number; to: number }) {
      const { logs } = await store.search({ ...all, ...page, time })
      return logs.length
    },
    bytes: async () => (await store.stats()).bytes,
    files: () =>
      readdirSync(directory)
        .filter((file) => file.endsWith('.duckdb'))
        .map((file) => file.slice(0, 14))
        .toSorted(),
  }
}

for (const isRestarted of [false, true]) {
  const how = isRestarted ? ', and the service was started anew' : ''
  test(`once a clock that was a year ahead is right, events are kept by their day${how}`, async (t) => {
    const { came, restart, retain, left, within, files } = setUp(t)
    const next = isRestarted ? restart : async () => {}
    await came('before', 0)
    await came('ahead', 365)
    await next()
    await came('right', 1)
    await next()
    await came('later', 1)
    assert.deepEqual(files(), ['2026-03-15-001', '2026-03-16-001', '2027-03-15-001'])
    await next()
    assert.equal((await came('later', 1)).duplicates, 5, 'sent again, they are known')
    await came('day3', 3)

    assert.deepEqual(await left(), ['ahead', 'before', 'day3', 'later', 'right'])
    assert.equal(await within({ from: NOW + DAY, to: NOW + 2 * DAY }), 10)
    assert.equal(await within({ from: NOW + 365 * DAY, to: NOW + 366 * DAY }), 5)

    assert.deepEqual(await retain({ days: 7 }, 9), { dropped: 15 })
    assert.deepEqual(await left(), ['ahead', 'day3'])
    await next()
    assert.deepEqual(await retain({ days: 7 }, 380), { dropped: 10 })
    assert.deepEqual(await left(), [])
  })
}

test('events that came while the clock was behind do not go once it is right', async (t) => {
  const { came, restart, retain, left } = setUp(t)
  await came('before', 0)
  await came('behind', -2_000)
  await came('right', 1)
  await restart()
  assert.deepEqual(await retain({ days: 7 }, 2), { dropped: 0 })
  assert.deepEqual(await retain({ days: 7 }, 8), { dropped: 10 })
  assert.deepEqual(await left(), ['right'])
})

test('for want of room those go first that came first, whatever the clock said', async (t) => {
  const { came, restart, retain, left, bytes } = setUp(t)
  await came('ahead', 365)
  await came('right', 1)
  await came('later', 2)
  await restart()
  await retain({ bytes: (await bytes()) - 1 }, 2)
  assert.deepEqual(await left(), ['later', 'right'])
})

test('midnight makes no more files, however events come around it', async (t) => {
  const { came, files } = setUp(t)
  for (const [n, days] of [0, 1, 0, 1, 0, 1].entries()) await came(`e${n}`, days)
  assert.deepEqual(files(), ['2026-03-15-001', '2026-03-16-001'])
})
