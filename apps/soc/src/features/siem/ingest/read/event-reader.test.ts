import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import { silentLog } from '../../../../testing/test-postgres.ts'
import { UNREAD } from '../../normalise/keep-unread.ts'
import type { NormalisedLog } from '../../normalise/normalise.ts'
import { createBudget } from '../budget.ts'
import { createCounters } from '../counters.ts'
import { createReadParts } from '../read-parts.ts'
import { createSenders } from '../senders.ts'
import { createEventReader } from './event-reader.ts'
import type { Reading } from './part.ts'
import { createEvents } from './read-events.ts'
import { sampleReading } from './sample-reading.ts'

const STUCK = new URL('../../../../testing/stuck-reader-worker.ts', import.meta.url)

function readerOf(t: TestContext, options: { workMs?: number; worker?: URL } = {}) {
  const reader = createEventReader({ log: silentLog, ...options })
  t.after(() => reader.stop())
  return reader
}

async function logsOf(parts: AsyncIterable<object>) {
  const logs: NormalisedLog[] = []
  for await (const part of parts) if ('logs' in part) logs.push(...(part.logs as NormalisedLog[]))
  return logs
}

const syslog = (...texts: string[]): Reading => ({
  way: 'syslog_udp',
  receivedAt: 0,
  format: { kind: 'syslog', messages: texts.map((text) => ({ text, peer: '192.0.2.1' })) },
})

test('an event that takes too long to read is kept as text, and those around it are read', async (t) => {
  const reader = readerOf(t, { workMs: 400, worker: STUCK })
  const logs = await logsOf(reader.read(syslog('one', 'hang', 'two', 'hang', 'three')))
  assert.deepEqual(
    logs.map(({ message, fields }) => [message, fields[UNREAD]]),
    [
      ['one', undefined],
      ['hang', 'work_limit'],
      ['two', undefined],
      ['hang', 'work_limit'],
      ['three', undefined],
    ],
  )
  assert.equal(reader.hangs(), 2)
})

test('an event that a parser fails on is kept as text, told of, and those around it are read', (t) => {
  // A part ends with its time, which a busy machine may use up with the first event.
  t.mock.method(performance, 'now', () => 0)
  const own = {
    apply(log: NormalisedLog) {
      if (log.message === 'two') throw new Error('a fault of a parser')
      return log
    },
  }
  const next = createEvents(
    syslog('one', 'two', 'three'),
    { from: 0, unread: new Set(), newId: () => 'id', own },
    () => {},
  )
  const { logs, unread, fault, isLast } = next()
  assert.deepEqual(
    logs.map(({ message, fields }) => [message, fields[UNREAD]]),
    [
      ['one', undefined],
      ['two', 'failed'],
      ['three', undefined],
    ],
  )
  assert.deepEqual([unread, String(fault), isLast], [1, 'Error: a fault of a parser', true])
})

test('a sender whose event took too long is counted and, for a minute, not looked into', async (t) => {
  const reader = readerOf(t, { workMs: 400, worker: STUCK })
  const counters = createCounters()
  let now = 0
  const senders = createSenders(() => now)
  const readParts = createReadParts({ reader, counters, senders, now: () => now })
  const budget = createBudget(100)
  const read = (name: string, ...texts: string[]) =>
    logsOf(readParts(syslog(...texts), { sender: { id: name, name }, budget }))

  await read('192.0.2.1', 'hang')
  const [later] = await read('192.0.2.1', 'harmless')
  const [other] = await read('192.0.2.2', 'harmless')
  assert.deepEqual([later?.fields[UNREAD], other?.fields[UNREAD]], ['work_limit', undefined])
  assert.equal(reader.hangs(), 1, 'the second one had no chance to hang')
  assert.equal(counters.ways.get('syslog_udp')?.unread, 2)
  assert.partialDeepStrictEqual(senders.list(), [
    { sender: '192.0.2.1', events: 2, unread: 2, slowedUntil: 60_000 },
    { sender: '192.0.2.2', events: 1, unread: 0, slowedUntil: undefined },
  ])
  now = 60_001
  const [again] = await read('192.0.2.1', 'harmless')
  assert.equal(again?.fields[UNREAD], undefined)
})

test('events are read in a thread of their own, while this one goes on', async (t) => {
  const reader = readerOf(t)
  const line = `${JSON.stringify({ message: 'x'.repeat(300) })}\n`
  const body = Buffer.from(line.repeat(20_000))
  const format = { kind: 'native', contentType: 'application/x-ndjson' } as const
  let turns = 0
  const timer = setInterval(() => {
    turns += 1
  }, 0)
  const logs = await logsOf(reader.read({ way: 'api', receivedAt: 0, format, body }))
  clearInterval(timer)
  assert.equal(logs.length, 20_000)
  assert.ok(turns > 10, `the event loop turned ${turns} times meanwhile`)
})

test('large events come in small parts, however fast they were read', async (t) => {
  const reader = readerOf(t)
  const line = `${JSON.stringify({ message: 'x'.repeat(300_000) })}\n`
  const format = { kind: 'native', contentType: 'application/x-ndjson' } as const
  const parts: number[] = []
  const body = Buffer.from(line.repeat(40))
  for await (const part of reader.read({ way: 'api', receivedAt: 0, format, body })) {
    if ('logs' in part) parts.push(part.logs.length)
  }
  assert.equal(
    parts.reduce((sum, count) => sum + count, 0),
    40,
  )
  assert.ok(Math.max(...parts) <= 4, `parts of ${parts}`)
})

test('a body of more events than a request may hold is refused before any is read', async (t) => {
  const reader = readerOf(t)
  const body = Buffer.from('{}\n'.repeat(21_000_000))
  const format = { kind: 'native', contentType: 'application/x-ndjson' } as const
  await assert.rejects(logsOf(reader.read({ way: 'api', receivedAt: 0, format, body })), {
    status: 400,
    message: 'body: holds more than 500000 events: send smaller batches',
  })
})

test('a sample is read before anybody sends events, and leaves nothing behind', async (t) => {
  const reader = readerOf(t)
  await reader.warmUp()
  assert.equal(reader.isReading(), false)
  const [log] = await logsOf(reader.read(syslog('one')))
  assert.equal(log?.message, 'one')
})

test('a reader that is stopped while it warms up starts no thread again', async () => {
  const reader = createEventReader({ log: silentLog })
  const warming = reader.warmUp()
  await reader.stop()
  await warming.catch(({ message }) => assert.match(message, /stopping/))
  assert.equal(reader.isReading(), false)
  await assert.rejects(logsOf(reader.read(syslog('one'))), /stopping/)
})

test('every event of the sample can be read', () => {
  const known = {
    from: 0,
    unread: new Set<number>(),
    newId: () => 'id',
    own: { apply: (log: NormalisedLog) => log },
  }
  const next = createEvents(sampleReading(0), known, () => {})
  for (let part = next(); ; part = next()) {
    assert.deepEqual([part.rejections, part.unread], [[], 0])
    if (part.isLast) break
  }
})

test('a part ends with its time, however many events were found together', (t) => {
  let clock = 0
  let [opened, most] = [0, 0]
  t.mock.method(performance, 'now', () => clock)
  const messages = Array.from({ length: 200 }, (_, n) => ({
    peer: '192.0.2.1',
    get text() {
      clock += 1
      opened = Math.max(opened, n + 1)
      return `event ${n}`
    },
  }))
  const read: string[] = []
  const known = {
    ...{ from: 0, unread: new Set<number>(), newId: () => 'id' },
    own: {
      apply(log: NormalisedLog) {
        most = Math.max(most, opened - read.length)
        read.push(log.message)
        clock += 20
        return log
      },
    },
  }
  const next = createEvents({ ...syslog(), format: { kind: 'syslog', messages } }, known, () => {})
  for (let part = next(); ; part = next()) {
    assert.ok(part.size <= 3 && part.unread === 0, `${part.size} events in one part`)
    if (part.isLast) break
  }
  assert.deepEqual(
    read,
    messages.map((_, n) => `event ${n}`),
  )
  assert.ok(most <= 5, `${most} events were taken apart before one was read`)
})

test('a long event that was read is no unread one', () => {
  const script = 'a'.repeat(20_000)
  const xml = `<Event><System><EventID>4104</EventID><Channel>x</Channel></System><EventData><Data Name="ScriptBlockText">${script}</Data></EventData></Event>`
  const known = {
    ...{ from: 0, unread: new Set<number>(), newId: () => 'id' },
    own: { apply: (log: NormalisedLog) => log },
  }
  const unreadIn = (text: string) => createEvents(syslog(text), known, () => {})().unread
  assert.deepEqual([unreadIn(xml), unreadIn(script)], [0, 1])
})

test('parts of many events come as bundles, however few of them are in one', async (t) => {
  const packer = new URL('../../../../adapters/duckdb-logs/pack-logs.ts', import.meta.url)
  const reader = createEventReader({ log: silentLog, packer })
  t.after(() => reader.stop())
  // A part ends with so many letters as it does when its time is over.
  const long = 'x'.repeat(2 ** 18)
  const sizes: number[] = []
  for await (const part of reader.read(syslog(...Array.from({ length: 64 }, () => long)))) {
    if (!('size' in part) || part.size === 0) continue
    assert.ok(part.bundle, 'of what was read of many')
    sizes.push(part.size)
  }
  assert.ok(sizes.length > 2 && Math.max(...sizes) < 64, `parts of ${sizes}`)
  for await (const part of reader.read(syslog('one', 'two'))) assert.ok(!('bundle' in part))
})
