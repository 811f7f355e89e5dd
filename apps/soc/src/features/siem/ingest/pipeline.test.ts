import assert from 'node:assert/strict'
import { test } from 'node:test'
import { unavailable } from '@manara/kit/errors'
import type { LogStore, StoredLog } from '../../../ports/log-store.ts'
import { silentLog } from '../../../testing/test-postgres.ts'
import { until } from '../../../testing/until.ts'
import { arrivedOf } from './arrived.ts'
import { createCounters } from './counters.ts'
import { createStoredListeners } from './listeners.ts'
import { createPipeline, type Limits } from './pipeline.ts'

const logOf = (id: string, source = 'test'): StoredLog => ({
  id,
  at: 1,
  received_at: 1,
  source,
  host: null,
  severity: 'info',
  message: '',
  user: null,
  process: null,
  event_code: null,
  src_ip: null,
  dst_ip: null,
  fields: {},
  original: null,
})

const logsOf = (count: number, from = 0) =>
  Array.from({ length: count }, (_, n) => logOf(`${from + n}`))

/** A store whose disk is in our hands: each write waits until it is let through. */
function heldStore() {
  const writes: { logs: StoredLog[]; done: PromiseWithResolvers<void> }[] = []
  const append: LogStore['append'] = async (logs) => {
    const done = Promise.withResolvers<void>()
    writes.push({ logs, done })
    await done.promise
    return { stored: logs, duplicates: 0 }
  }
  return { append, writes }
}

function start(
  append: LogStore['append'],
  limits: Partial<Limits> = {},
  appendPacked?: LogStore['appendPacked'],
) {
  const counters = createCounters()
  const listeners = createStoredListeners(silentLog)
  const reading = { isMoreComing: false }
  const pipeline = createPipeline({
    logs: { append, ...(appendPacked ? { appendPacked } : {}) },
    isMoreComing: () => reading.isMoreComing,
    counters,
    listeners,
    log: silentLog,
    limits: { retryMs: 1, ...limits },
  })
  return { pipeline, counters, listeners, reading }
}

test('events are acknowledged when they are written, and not before', async () => {
  const { append, writes } = heldStore()
  const { pipeline, counters } = start(append)
  let isAcknowledged = false
  const stored = pipeline.store('api', arrivedOf(logsOf(3))).then(() => {
    isAcknowledged = true
  })
  await until('written', () => writes.length === 1)
  assert.equal(isAcknowledged, false)
  assert.equal(pipeline.depth().events, 3)
  writes[0]?.done.resolve()
  await stored
  assert.equal(pipeline.depth().events, 0)
  assert.deepEqual(counters.ways.get('api'), {
    ...{ received: 3, stored: 3, duplicates: 0, refused: 0, unread: 0 },
  })
})

test('what arrives together is written together, in calls of a bounded size', async () => {
  const sizes: number[] = []
  const { pipeline } = start(
    async (logs) => {
      sizes.push(logs.length)
      return { stored: logs, duplicates: 0 }
    },
    { batch: 10 },
  )
  await Promise.all([...Array(8)].map((_, n) => pipeline.store('api', arrivedOf(logsOf(1, n)))))
  assert.deepEqual(sizes, [8])
  await pipeline.store('api', arrivedOf(logsOf(25)))
  assert.deepEqual(sizes, [8, 10, 10, 5])
})

test('large events are written a few at a time, however many came together', async () => {
  const { append, writes } = heldStore()
  const { pipeline } = start(append)
  const large = logsOf(6).map((log) => ({ ...log, message: 'a'.repeat(400_000) }))
  const stored = Promise.all([
    pipeline.store('api', arrivedOf(large.slice(0, 3))),
    ...large.slice(3).map((log) => pipeline.store('api', arrivedOf([log]))),
  ])
  await until('all of them', () => writes.flatMap(({ logs }) => logs).length === 6)
  assert.deepEqual(
    writes.map(({ logs }) => logs.length),
    [2, 2, 2],
  )
  for (const { done } of writes) done.resolve()
  await stored
})

test('a slow write holds up no other, up to so many', async () => {
  const { append, writes } = heldStore()
  const { pipeline } = start(append, { calls: 2 })
  const stored = []
  for (let n = 1; n <= 2; n += 1) {
    stored.push(pipeline.store('api', arrivedOf(logsOf(1, n))))
    await until(`write ${n}`, () => writes.length === n)
  }
  stored.push(
    pipeline.store('api', arrivedOf(logsOf(1, 3))),
    pipeline.store('api', arrivedOf(logsOf(1, 4))),
  )
  writes[0]?.done.resolve()
  await until('the next', () => writes.length === 3)
  assert.equal(writes[2]?.logs.length, 2)
  for (const { done } of writes) done.resolve()
  await Promise.all(stored)
})

test('a full queue is 429 with Retry-After before anything is read, and has room again later', async () => {
  const { append, writes } = heldStore()
  const { pipeline } = start(append, { events: 5, bytes: 100 })
  const release = pipeline.claim(90)
  assert.throws(() => pipeline.claim(11), { status: 429, retryAfter: 1 })
  release()
  release()
  assert.equal(pipeline.depth().bytes, 0)

  const stored = pipeline.store('api', arrivedOf(logsOf(5)))
  assert.throws(() => pipeline.claim(1), { status: 429 })
  let hasRoom = false
  const room = pipeline.room().then(() => {
    hasRoom = true
  })
  await until('written', () => writes.length === 1)
  assert.equal(hasRoom, false)
  writes[0]?.done.resolve()
  await Promise.all([stored, room])
  pipeline.claim(1)
})

test('while the store is away callers hear of it, and what nobody waits for is kept', async () => {
  const written: string[] = []
  let isAway = true
  const { pipeline, counters } = start(async (logs) => {
    if (isAway) throw unavailable('the disk is full: make room')
    written.push(...logs.map(({ id }) => id))
    return { stored: logs, duplicates: 0 }
  })
  const patient = pipeline.store('syslog_udp', arrivedOf([logOf('kept')]), { isPatient: true })
  await assert.rejects(pipeline.store('api', arrivedOf([logOf('told')])), { status: 503 })
  assert.deepEqual(written, [])
  isAway = false
  await patient
  assert.deepEqual(written, ['kept'])
  assert.equal(counters.refusals.get('api')?.get('store_unavailable'), 1)
  assert.equal(counters.ways.get('syslog_udp')?.stored, 1)
})

test("one caller's events that cannot be written do not take the others' with them", async () => {
  const { pipeline } = start(async (logs) => {
    if (logs.some(({ id }) => id === 'poison')) throw new Error('cannot be written')
    return { stored: logs, duplicates: 0 }
  })
  const good = pipeline.store('api', arrivedOf([logOf('good')]))
  const bad = pipeline.store('api', arrivedOf([logOf('poison')]))
  const patient = pipeline.store('syslog_tcp', arrivedOf([logOf('poison')]), { isPatient: true })
  await good
  await assert.rejects(bad, /cannot be written/)
  await assert.rejects(patient, /cannot be written/)
})

test('an id that was there before is counted as a duplicate of its source', async () => {
  const { pipeline, counters } = start(async (logs) => ({
    stored: logs.slice(0, 1),
    duplicates: logs.length - 1,
  }))
  await pipeline.store('hec', arrivedOf([logOf('a', 'one'), logOf('a', 'two')]))
  assert.equal(counters.sources.get('one')?.stored, 1)
  assert.equal(counters.sources.get('two')?.duplicates, 1)
})

test('stop writes what was taken in', async () => {
  const { append, writes } = heldStore()
  const { pipeline } = start(append)
  const stored = pipeline.store('syslog_tcp', arrivedOf(logsOf(2)), { isPatient: true })
  const stopped = pipeline.stop()
  await until('written', () => writes.length === 1)
  writes[0]?.done.resolve()
  await Promise.all([stored, stopped])
  await assert.rejects(pipeline.store('api', arrivedOf(logsOf(1))), { status: 503 })
})

test('a slow listener delays nobody and misses what it cannot hold', async () => {
  const { pipeline, listeners } = start(async (logs) => ({ stored: logs, duplicates: 0 }))
  const gate = Promise.withResolvers<void>()
  const [slow, quick]: [string[], string[]] = [[], []]
  listeners.add(async (batch) => {
    await gate.promise
    slow.push(...batch.logs().map(({ id }) => id))
  })
  listeners.add((batch) => {
    quick.push(...batch.logs().map(({ id }) => id))
    throw new Error('a bug of its own')
  })
  for (let n = 0; n < 3; n += 1) await pipeline.store('api', arrivedOf(logsOf(20_000, n * 20_000)))
  await until('told', () => quick.length === 60_000)
  assert.equal(slow.length, 0)
  assert.ok(listeners.missed() >= 10_000)
  gate.resolve()
  await listeners.idle()
  assert.equal(slow.length, 60_000 - listeners.missed())
})

test('events of two days are two calls: what one of them stored is told, whatever comes of the other', async () => {
  const told: string[] = []
  const { pipeline, listeners } = start(async (logs) => {
    if (logs.some(({ received_at }) => received_at >= 86_400_000)) throw new Error('disk')
    return { stored: logs, duplicates: 0 }
  })
  listeners.add((batch) => void told.push(...batch.logs().map(({ id }) => id)))
  const before = pipeline.store('api', arrivedOf([logOf('before midnight')]))
  const after = pipeline.store('api', arrivedOf([{ ...logOf('after'), received_at: 86_400_001 }]))
  await before
  await assert.rejects(after, /disk/)
  await listeners.idle()
  assert.deepEqual(told, ['before midnight'])
})

test('what is packed goes to the store as such, and again if that failed', async () => {
  const packed = { bytes: new ArrayBuffer(8) }
  const given: unknown[] = []
  const appended: string[] = []
  let isAway = true
  const { pipeline } = start(
    async (logs) => {
      appended.push(...logs.map(({ id }) => id))
      return { stored: logs, duplicates: 0 }
    },
    {},
    async (parts) => {
      given.push(...parts)
      if (isAway) throw unavailable('away')
      return parts.map(() => [])
    },
  )
  const stored = Promise.all([
    pipeline.store('syslog_tcp', { ...arrivedOf(logsOf(2)), packed }, { isPatient: true }),
    pipeline.store('syslog_tcp', arrivedOf(logsOf(1, 2)), { isPatient: true }),
  ])
  await until('it was tried', () => given.length > 0)
  isAway = false
  await stored
  assert.ok(given.length > 1 && given.every((one) => one === packed))
  assert.deepEqual(appended, ['2'])
})

test('of packed events those that were there before are counted so, and told to nobody', async () => {
  const { pipeline, counters, listeners } = start(
    async () => assert.fail('they are packed'),
    {},
    async () => [[1]],
  )
  const told: [string[], string[]] = [[], []]
  listeners.add((batch) => void told[0].push(...batch.logs().map(({ id }) => id)))
  listeners.addPicked(new URL('file:///sieve.ts'), (logs) => {
    told[1].push(...logs.map(({ id }) => id))
  })
  const logs = [logOf('a'), logOf('b', 'twice'), logOf('c')]
  const picked = [{ places: [1, 2], logs: logs.slice(1) }]
  const arrived = { ...arrivedOf(logs), picked, packed: { bytes: new ArrayBuffer(8) } }
  assert.equal(await pipeline.store('api', arrived), 1)
  await listeners.idle()
  assert.deepEqual(told, [['a', 'c'], ['c']])
  assert.equal(counters.sources.get('twice')?.duplicates, 1)
  assert.equal(counters.sources.get('test')?.stored, 2)
})

test('packed events wait for others that are being read, and go together', async () => {
  const sizes: number[] = []
  const { pipeline, reading } = start(
    async () => assert.fail('they are packed'),
    { together: 5, gatherMs: 2 ** 30 },
    async (parts) => {
      sizes.push(parts.length)
      return parts.map(() => [])
    },
  )
  const store = (from: number) =>
    pipeline.store('api', { ...arrivedOf(logsOf(2, from)), packed: { bytes: new ArrayBuffer(8) } })
  reading.isMoreComing = true
  const [first, second, third] = [store(0), store(2), store(4)]
  await Promise.all([first, second])
  assert.deepEqual(sizes, [2], 'the third waits for more')
  reading.isMoreComing = false
  await Promise.all([third, store(6)])
  assert.deepEqual(sizes, [2, 2])
})

/** A store that knows `1` of the index `old`; asked for it, it answers or fails. */
function storeWithOne(byIds: LogStore['byIds']) {
  const written: string[] = []
  const append: LogStore['append'] = async (logs) => {
    const stored = logs.filter(({ id }) => id !== '1')
    written.push(...stored.map(({ id }) => id))
    return { stored, duplicates: logs.length - stored.length }
  }
  const counters = createCounters()
  const heard: string[] = []
  const pipeline = createPipeline({
    logs: { append, byIds },
    counters,
    listeners: {
      tell: ({ batch }) => void heard.push(...batch.logs().map(({ id }) => id)),
    },
    log: silentLog,
  })
  return { pipeline, counters, heard, written }
}

const documentOf = (id: string, index: string): StoredLog => ({
  ...logOf(id, 'dataset'),
  fields: { _index: index },
})

test('a document whose id another index has is stored and told under an id of its own', async () => {
  const { pipeline, counters, heard, written } = storeWithOne(async () => [documentOf('1', 'old')])
  const sent = [documentOf('1', 'old'), documentOf('1', 'new'), documentOf('2', 'new')]
  assert.equal(await pipeline.store('elastic', arrivedOf(sent)), 1)
  assert.deepEqual(
    [written, heard],
    [
      ['2', '1@new'],
      ['1@new', '2'],
    ],
  )
  assert.deepEqual(counters.ways.get('elastic'), {
    ...{ received: 3, stored: 2, duplicates: 1, refused: 0, unread: 0 },
  })
  // Of other ways in an id is the event's, wherever it came from.
  assert.equal(await pipeline.store('api', arrivedOf([documentOf('1', 'new')])), 1)
})

test('while nobody can say which index has an id, it is not acknowledged, and what is stored is told', async () => {
  const { pipeline, heard, written } = storeWithOne(async () => {
    throw unavailable('the log store is away')
  })
  const sent = [documentOf('1', 'new'), documentOf('2', 'new')]
  const other = pipeline.store('api', arrivedOf([logOf('3')]))
  await assert.rejects(pipeline.store('elastic', arrivedOf(sent)), /away/)
  assert.equal(await other, 0)
  assert.deepEqual(
    [written.toSorted(), heard.toSorted()],
    [
      ['2', '3'],
      ['2', '3'],
    ],
  )
  assert.deepEqual(pipeline.depth().events, 0)
})
