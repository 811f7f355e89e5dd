import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Limits, Position, StoredLog } from '../../ports/log-store.ts'
import { storedLog } from '../../testing/stored-log.ts'
import type { Taken } from './readers.ts'
import { createScanPages } from './scan-pages.ts'

const ALL = { query: { kind: 'all' }, time: {} } as const

/** A store of so many events of such a size, which notes how many each read asked for. */
function scanning({ events, letters = 10 }: { events: number; letters?: number }) {
  const message = 'a'.repeat(letters)
  const asked: number[] = []
  const heard: Taken[] = []
  let read = 0
  const pages = createScanPages(async (_, after, most, __, taken) => {
    asked.push(most)
    heard.push(taken)
    const from = (after?.at ?? -1) + 1
    const length = Math.min(most, events - from)
    read += length
    return Array.from({ length }, (___, at) =>
      storedLog({ id: `${from + at}`, at: from + at, message }),
    )
  })
  const ends = new Map<string, Position>()

  async function next(name: string, limits: Limits = {}) {
    const page = await pages.page(name, ALL, ends.get(name), limits)
    const last = page.logs.at(-1)
    if (last) ends.set(name, { at: last.at, id: last.id })
    return page
  }
  async function whole(name: string) {
    const found: StoredLog[] = []
    for (let isLast = false; !isLast; ) {
      const page = await next(name)
      found.push(...page.logs)
      isLast = page.isLast
    }
    return found.map(({ at }) => at)
  }
  return { asked, heard, next, whole, end: pages.end, read: () => read }
}

test('a scan reads more at a time as it goes on, and hands over every event once', async () => {
  const { asked, whole } = scanning({ events: 20_000 })
  assert.deepEqual(
    await whole('one'),
    Array.from({ length: 20_000 }, (_, at) => at),
  )
  assert.deepEqual(asked.slice(0, 5), [64, 256, 1_024, 4_096, 4_096])
})

test('all reads of a scan count as one question, and each scan as one of its own', async () => {
  const { heard, whole } = scanning({ events: 2_000 })
  await whole('one')
  const reads = heard.length
  await whole('two')
  assert(reads > 1)
  assert.equal(new Set(heard.slice(0, reads)).size, 1)
  assert.equal(new Set(heard).size, 2)
})

test('however many scans there are, none reads anything twice', async () => {
  const { next, whole, read } = scanning({ events: 9_000, letters: 2_000 })
  const names = Array.from({ length: 40 }, (_, at) => `scan ${at}`)
  const given = new Map(names.map((name) => [name, 0]))
  for (let turn = 0; turn < 4; turn++) {
    for (const name of names) {
      given.set(name, (given.get(name) ?? 0) + (await next(name)).logs.length)
    }
  }
  for (const name of names) {
    assert.equal((given.get(name) ?? 0) + (await whole(name)).length, 9_000, name)
  }
  assert.equal(read(), 40 * 9_000)
})

test('of large events few are read ahead, and of many scans less for each', async () => {
  const large = scanning({ events: 3_000, letters: 1_000_000 })
  for (let page = 0; page < 600; page++) await large.next('large')
  assert(Math.max(...large.asked.slice(1)) <= 8, `${large.asked}`)
  const many = scanning({ events: 100_000, letters: 5_000 })
  for (let at = 0; at < 60; at++) {
    for (let page = 0; page < 4; page++) await many.next(`scan ${at}`)
  }
  assert(Math.max(...many.asked) > 1_000, `${many.asked}`)
  assert(Math.max(...many.asked.slice(-10)) < 512, `${many.asked.slice(-10)}`)
})

test('nothing is kept for those who have left, also while their events were read', async () => {
  const { asked, next, end } = scanning({ events: 3_000 })
  await next('left')
  end('left')
  await next('left')
  assert.equal(asked.length, 2)
  const gone = new AbortController()
  const reading = next('gone', { signal: gone.signal })
  gone.abort()
  await assert.rejects(reading, { name: 'AbortError' })
})
