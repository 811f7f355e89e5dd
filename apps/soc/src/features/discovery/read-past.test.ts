import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { LogSelection } from '../../ports/log-store.ts'
import { storedLog } from '../../testing/stored-log.ts'
import { createPastReader } from './read-past.ts'

const NOW = Date.UTC(2035, 0, 20)
const HOUR = 3_600_000
const WEEK = 7 * 24 * HOUR

type Span = { from?: number | undefined; to?: number | undefined }

/** A reader of a store in which a page takes as long as `takesMs` says. */
function reading({
  readUntil,
  takesMs = () => 1,
}: {
  readUntil?: number
  takesMs?(span: Span): number
}) {
  const kept = { until: readUntil }
  const pages: Span[] = []
  const taken: string[] = []
  let now = NOW
  let fails = false
  const start = () =>
    createPastReader({
      logs: {
        async *scan({ received = {} }: LogSelection) {
          pages.push(received)
          now += takesMs(received)
          if (fails) throw new Error('the store is away')
          yield [storedLog({ id: `from ${received.from}` })]
        },
      },
      now: () => now,
      signal: new AbortController().signal,
      progress: {
        read: async () => kept.until,
        keep: async (until) => {
          kept.until = until
        },
      },
      take: async (logs) => {
        taken.push(...logs.map(({ id }) => id))
      },
    })
  return { start, pages, kept, taken, fail: (isSo: boolean) => (fails = isSo) }
}

async function readAll(reader: ReturnType<typeof createPastReader>, most = 10_000) {
  for (let page = 0; page < most; page += 1) if (!(await reader.readOn())) return
}

test('at the first start a week is read, in pages that follow each other, and no more', async () => {
  const { start, pages, kept, taken } = reading({})
  const reader = start()
  await readAll(reader)
  assert.equal(reader.isRead(), true)
  assert.equal(pages[0]?.from, NOW - WEEK)
  for (const [index, { to }] of pages.slice(0, -1).entries())
    assert.equal(to, pages[index + 1]?.from)
  // What others took in by clocks that are ahead.
  assert.equal(pages.at(-1)?.to, undefined)
  assert.equal(kept.until, NOW)
  assert.equal(taken.length, pages.length)
  const read = pages.length
  assert.equal(await reader.readOn(), false)
  assert.equal(pages.length, read)
})

test('of a flood each page is read in a moment, also when it follows days of silence', async () => {
  const began = NOW - 24 * HOUR
  const msOf = ({ from = 0, to = NOW }: Span) => Math.max(0, to - Math.max(from, began)) / 1_000
  const { start, pages } = reading({ takesMs: msOf })
  await readAll(start())
  const [first = 0, ...later] = pages.map(msOf).filter((took) => took > 0)
  assert.ok(first <= HOUR / 1_000, `${first}`)
  assert.ok(Math.max(...later) <= 1_000, `${later}`)
})

test('the next process goes on behind the last page that was read', async () => {
  const { start, pages, kept } = reading({ takesMs: () => 400 })
  await readAll(start(), 2)
  const read = pages.length
  assert.equal(read, 4, 'two pages take longer than a moment')
  assert.equal(kept.until, pages[3]?.to)
  await readAll(start())
  assert.equal(pages[read]?.from, (pages[3]?.to ?? 0) - 60_000)
})

test('a week of silence is read in a moment', async () => {
  const { start, kept } = reading({})
  const reader = start()
  await reader.readOn()
  assert.equal(reader.isRead(), true)
  assert.equal(kept.until, NOW)
})

test('what came in before the last week is not read, however long nobody has', async () => {
  const { start, pages } = reading({ readUntil: NOW - 50 * WEEK })
  await start().readOn()
  assert.equal(pages[0]?.from, NOW - WEEK)
})

test('a page that could not be read is read again, and counts as read only then', async () => {
  const { start, pages, kept, fail } = reading({ readUntil: NOW - HOUR })
  const reader = start()
  fail(true)
  await assert.rejects(reader.readOn(), /away/)
  assert.equal(kept.until, NOW - HOUR)
  fail(false)
  await readAll(reader)
  assert.deepEqual(pages[0]?.from, pages[1]?.from)
  assert.equal(reader.isRead(), true)
})
