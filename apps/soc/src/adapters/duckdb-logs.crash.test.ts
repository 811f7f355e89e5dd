import assert from 'node:assert/strict'
import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import {
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  truncateSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { createInterface } from 'node:readline'
import { text } from 'node:stream/consumers'
import { type TestContext, test } from 'node:test'
import { DuckDBInstance } from '@duckdb/node-api'
import { createLogger } from '@manara/kit/logging'
import { asking, DAY, NOW, selecting, storedLog } from '../ports/log-store.contract.ts'
import type { LogStore, StoredLog } from '../ports/log-store.ts'
import { until } from '../testing/until.ts'
import { openDuckdbLogs } from './duckdb-logs.ts'

const log = createLogger({ service: 'test', level: 'silent', pretty: false })

function newDirectory(t: TestContext) {
  const directory = mkdtempSync(path.join(tmpdir(), 'duckdb-crash-'))
  t.after(() => rmSync(directory, { recursive: true, force: true }))
  return directory
}

async function allIds(store: LogStore) {
  const ids: string[] = []
  for await (const logs of store.scan(selecting('*'))) ids.push(...logs.map(({ id }) => id))
  return ids
}

const ADAPTER = JSON.stringify(new URL('./duckdb-logs.ts', import.meta.url).href)

function runApart(source: string, wrapper: string[] = []) {
  const [command = process.execPath, ...args] = [
    ...wrapper,
    process.execPath,
    '--input-type=module',
    '-e',
    `import { openDuckdbLogs } from ${ADAPTER}
     const log = { error() {}, warn() {} }
     const template = ${JSON.stringify(storedLog())}
     const named = (id) => ({ ...template, id, message: 'event ' + id + Math.random() })
     ${source}`,
  ]
  return spawn(command, args, { stdio: ['ignore', 'pipe', 'inherit'] })
}

/** Three callers; says every id once it is stored. */
const appendForEver = (directory: string, round: number) =>
  runApart(`
    import { writeSync } from 'node:fs'
    const store = openDuckdbLogs({ directory: ${JSON.stringify(directory)}, log, segmentEvents: 50,
      checkpoints: { events: 100, leastLogBytes: 0 } })
    let next = 0
    async function caller() {
      for (;;) {
        const logs = Array.from({ length: 1 + next % 40 }, () => named('${round}-' + next++))
        await store.append(logs)
        writeSync(1, logs.map(({ id }) => id).join(' ') + '\\n')
      }
    }
    await Promise.all([caller(), caller(), caller()])`)

test('every event acknowledged before a kill -9 is found after it', async (t) => {
  const directory = newDirectory(t)
  const acknowledged: string[] = []
  for (let round = 0; round < 3; round++) {
    const child = appendForEver(directory, round)
    const killAfter = 5 + Math.floor(Math.random() * 60)
    let lines = 0
    for await (const line of createInterface(child.stdout)) {
      acknowledged.push(...line.split(' '))
      lines += 1
      if (lines === killAfter) child.kill('SIGKILL')
    }
    assert.ok(lines >= killAfter, 'it ran until it was killed')
  }
  const store = openDuckdbLogs({ directory, log, segmentEvents: 50 })
  t.after(() => store.close())
  const found = await allIds(store)
  const stored = new Set(found)
  assert.equal(found.length, stored.size, 'none twice')
  assert.deepEqual(
    acknowledged.filter((id) => !stored.has(id)),
    [],
  )
  const again = await store.append(acknowledged.map((id) => storedLog({ id })))
  assert.equal(again.duplicates, acknowledged.length, 'a retry after the restart is recognised')
})

/** Four callers, many events at a time, and files that are settled all the while. */
const appendAndSettle = (directory: string, round: number) =>
  runApart(`
    import { writeSync } from 'node:fs'
    const store = openDuckdbLogs({ directory: ${JSON.stringify(directory)}, log, segmentEvents: 100,
      checkpoints: { events: 500, leastLogBytes: 0 } })
    let next = 0
    async function caller() {
      for (;;) {
        const logs = Array.from({ length: 150 }, () => named('${round}-' + next++))
        await store.append(logs)
        writeSync(1, logs[0].id + ' ' + logs.at(-1).id + '\\n')
      }
    }
    await Promise.all([caller(), caller(), caller(), caller()])`)

test('a kill -9 at any moment while files are settled and others get events loses and doubles none', async (t) => {
  const directory = newDirectory(t)
  let acknowledged = 0
  for (let round = 0; round < 4; round++) {
    const child = appendAndSettle(directory, round)
    const killAfter = 10 + Math.floor(Math.random() * 30)
    const ids: string[] = []
    for await (const line of createInterface(child.stdout)) {
      const [from = 0, to = 0] = line.split(' ').map((id) => Number(id.split('-')[1]))
      for (let id = from; id <= to; id++) ids.push(`${round}-${id}`)
      if (ids.length === killAfter * 150)
        setTimeout(() => child.kill('SIGKILL'), Math.random() * 30)
    }
    assert.ok(ids.length >= killAfter * 150, 'it ran until it was killed')
    acknowledged += ids.length
    const warnings: unknown[] = []
    const store = openDuckdbLogs({
      directory,
      log: { error() {}, warn: (text: unknown) => void warnings.push(text) },
      segmentEvents: 100,
    })
    const found = await allIds(store)
    const stored = new Set(found)
    assert.equal(found.length, stored.size, 'none twice')
    assert.deepEqual(
      ids.filter((id) => !stored.has(id)),
      [],
    )
    assert.ok(stored.size >= acknowledged)
    assert.deepEqual([warnings, store.damages()], [[], []])
    await store.close()
  }
  const files = readdirSync(directory).filter((file) => file.endsWith('.duckdb'))
  assert.ok(files.length > 1, 'events came in while a file was settled')
})

test('a kill -9 while events are read anew leaves each as before or as after, and no filter misses one', async (t) => {
  const directory = newDirectory(t)
  const settings = { directory, log, segmentEvents: 50, partitionEvents: 400 }
  const before = openDuckdbLogs(settings)
  const logs = Array.from({ length: 1_000 }, (_, at) => storedLog({ id: `log-${at}` }))
  for (let from = 0; from < 1_000; from += 250) await before.append(logs.slice(from, from + 250))
  await before.close()
  let done = 0
  for (let round = 1; round <= 3; round++) {
    const child = runApart(`
      import { writeSync } from 'node:fs'
      const store = openDuckdbLogs({ ...${JSON.stringify({ ...settings, log: undefined })}, log })
      for (let from = ${done}; ; from += 30) {
        const logs = Array.from({ length: 30 }, (_, at) => ({
          ...template, id: 'log-' + (from + at) % 1000, source: 'round${round}',
          fields: { word: 'only' + (from + at) % 1000 + 'round${round}' } }))
        await store.rewrite(logs)
        writeSync(1, (from + 30) + '\\n')
      }`)
    let lines = 0
    for await (const line of createInterface(child.stdout)) {
      done = Number(line)
      lines += 1
      if (lines === 4 + round * 3) child.kill('SIGKILL')
    }
    const store = openDuckdbLogs(settings)
    const found: StoredLog[] = []
    for await (const page of store.scan(selecting('*'))) found.push(...page)
    assert.equal(new Set(found.map(({ id }) => id)).size, 1_000)
    assert.equal(found.length, 1_000, 'none twice')
    for (const at of [done - 1, done - 30, done - 60, 0].map((place) => place % 1_000)) {
      const [one] = found.filter(({ id }) => id === `log-${at}`)
      const { word } = one?.fields ?? {}
      assert.ok(word, 'what was acknowledged is there')
      const { logs: hits } = await store.search(asking(String(word)))
      assert.deepEqual(
        hits.map(({ id }) => id),
        [`log-${at}`],
      )
    }
    const sources = await store.sources()
    for (const { source, count } of sources) {
      assert.equal(count, found.filter((one) => one.source === source).length)
    }
    await store.close()
  }
})

test('a full disk is a 503, and goes on when there is room', async (t) => {
  if (spawnSync('unshare', ['-rm', 'true']).status !== 0) {
    return t.skip('no file system of our own may be mounted here')
  }
  const mount = ['unshare', '-rm', 'sh', '-c', 'mount -t tmpfs -o size=12m logs "$0" && exec "$@"']
  const directory = newDirectory(t)
  const child = runApart(
    `
    import { rmSync, writeFileSync } from 'node:fs'
    const [folder, filler] = ${JSON.stringify([directory, path.join(directory, 'filler')])}
    writeFileSync(filler, Buffer.alloc(8_000_000))
    const store = openDuckdbLogs({ directory: folder + '/logs', log, reserveMb: 0 })
    const batch = (name) => Array.from({ length: 1000 }, (_, at) => named(name + '-' + at))
    let stored = 0
    let failure
    while (!failure) await store.append(batch(stored)).then(() => stored++, (error) => { failure = error })
    rmSync(filler)
    await store.append(batch('after'))
    const { events } = await store.stats()
    await store.close()
    const careful = openDuckdbLogs({ directory: folder + '/logs', log, reserveMb: 100 })
    const refused = await careful.append(batch('more')).catch((error) => error)
    const searched = await careful.byId('after-7')
    await careful.close()
    process.stdout.write(JSON.stringify({ status: failure.status, message: failure.message,
      missing: (stored + 1) * 1000 - events, refused: refused.status, searched: searched?.id }))`,
    [...mount, directory],
  )
  const answer = JSON.parse(await text(child.stdout))
  assert.match(answer.message, /disk of the log store is full: free space/)
  assert.deepEqual(
    { ...answer, message: '' },
    { status: 503, message: '', missing: 0, refused: 503, searched: 'after-7' },
  )
})

type Harm = (bytes: Buffer) => Buffer

const flipped: Harm = (bytes) => {
  const harmed = Buffer.from(bytes)
  harmed[harmed.length >> 1] = ~(harmed[harmed.length >> 1] as number)
  return harmed
}

/** Twenty events, acknowledged one by one, and then something happens to a file of theirs. */
async function harmed(t: TestContext, ending: string, harm: Harm, events = 20) {
  const directory = newDirectory(t)
  const first = openDuckdbLogs({ directory, log })
  for (let at = 0; at < events; at += 1) await first.append([storedLog({ id: `event-${at}` })])
  await first.close()
  const [name] = readdirSync(directory).filter((one) => one.endsWith(ending))
  const file = path.join(directory, name as string)
  writeFileSync(file, harm(readFileSync(file)))
  return directory
}

const HARMS: [what: string, harm: Harm, least: number][] = [
  [
    'the last 64 bytes are zeros',
    (log) => Buffer.concat([log.subarray(0, -64), Buffer.alloc(64)]),
    15,
  ],
  ['the end is missing', (log) => log.subarray(0, -100), 15],
  ['half of it is missing', (log) => log.subarray(0, log.length >> 1), 5],
  ['a byte in the middle is another', flipped, 5],
  ['it is all zeros', (log) => Buffer.alloc(log.length), 0],
  ['it is empty', () => Buffer.alloc(0), 0],
]

for (const [what, harm, least] of HARMS) {
  test(`a write-ahead log is replayed to its last good record and the loss is told: ${what}`, async (t) => {
    const directory = await harmed(t, '.wal', harm)
    const warnings: unknown[] = []
    const open = () =>
      openDuckdbLogs({
        directory,
        log: { error: () => {}, warn: (text: unknown) => void warnings.push(text) },
      })
    const store = open()
    const answer = await store.search(asking('*'))
    assert.ok((answer.total ?? 0) >= least && (answer.total ?? 0) < 20, `${answer.total} are left`)
    assert.equal(answer.partial?.reason, 'damaged')
    assert.equal(answer.isTotalExact, false)
    assert.deepEqual(
      store.damages().map(({ lost }) => lost),
      [20 - (answer.total ?? 0)],
    )
    assert.equal(warnings.length, 1)
    if (harm(Buffer.alloc(200)).length > 0) {
      assert.ok(readdirSync(path.join(directory, 'damaged')).length > 0, 'the log is kept aside')
    }
    const later = { ...asking('*'), time: { from: NOW + 10 * DAY } }
    assert.equal((await store.search(later)).partial, null, 'other times are whole')

    await store.append([storedLog({ id: 'after' })])
    await store.close()
    const again = open()
    t.after(() => again.close())
    const second = await again.search(asking('*'))
    assert.equal(second.total, (answer.total ?? 0) + 1, 'what was saved and what came later stays')
    assert.equal(second.partial?.reason, 'damaged', 'the loss is remembered')
    assert.equal(again.damages().length, 1, 'and told once')
  })
}

test('a write that was cut short before it was acknowledged is no damage', async (t) => {
  const directory = await harmed(t, '.wal', (bytes) => bytes)
  const [mark] = readdirSync(directory).filter((one) => one.endsWith('.mark'))
  const file = path.join(directory, mark as string)
  writeFileSync(file, readFileSync(file, 'utf8').replace('"events":20', '"events":19'))
  const [wal] = readdirSync(directory).filter((one) => one.endsWith('.wal'))
  truncateSync(
    path.join(directory, wal as string),
    readFileSync(path.join(directory, wal as string)).length - 5,
  )
  const store = openDuckdbLogs({ directory, log })
  t.after(() => store.close())
  const { total, partial } = await store.search(asking('*'))
  assert.deepEqual([total, partial, store.damages()], [19, null, []])
})

test('a damaged daily file is kept aside and told, the others are read', async (t) => {
  const directory = newDirectory(t)
  const first = openDuckdbLogs({ directory, log })
  const old = NOW - 2 * DAY
  await first.append([storedLog({ id: 'old', at: old, received_at: old })])
  await first.append([storedLog({ id: 'new' })])
  await first.close()
  const [oldest = ''] = readdirSync(directory)
    .filter((one) => one.endsWith('.duckdb'))
    .toSorted()
  truncateSync(path.join(directory, oldest), 100)

  const store = openDuckdbLogs({ directory, log })
  t.after(() => store.close())
  const answer = await store.search(asking('*'))
  assert.deepEqual(
    answer.logs.map(({ id }) => id),
    ['new'],
  )
  assert.match(answer.partial?.detail ?? '', /1 events of this time are lost.*backup/)
  const recent = { ...asking('*'), time: { from: NOW - DAY } }
  assert.equal((await store.search(recent)).partial, null, 'the loss is of another day')
  assert.ok(readdirSync(path.join(directory, 'damaged')).includes(`${oldest}.1`))

  const days = { days: 1, bytes: undefined, daysBySource: {} }
  await store.retain(days, NOW + DAY)
  assert.deepEqual(store.damages(), [], 'when its time would have been over, so is the damage')
  assert.deepEqual(readdirSync(path.join(directory, 'damaged')), [])
})

test('blocks of a daily file that cannot be read any more are found by the search that needs them', async (t) => {
  const directory = newDirectory(t)
  const open = () => openDuckdbLogs({ directory, log, segmentEvents: 100 })
  const first = open()
  const words = () => Array.from({ length: 40 }, () => Math.random().toString(36)).join(' ')
  const logs = Array.from({ length: 2_000 }, (_, at) =>
    storedLog({ id: `e${at}`, message: words() }),
  )
  await first.append(logs)
  // With the next day the file gets no more events, and its log is written to its place.
  await first.append([storedLog({ id: 'next', at: NOW + DAY, received_at: NOW + DAY })])
  await first.close()
  const [file = ''] = readdirSync(directory)
    .filter((one) => one.endsWith('.duckdb'))
    .toSorted()
  await checkpoint(path.join(directory, file))
  const bytes = readFileSync(path.join(directory, file))
  writeFileSync(path.join(directory, file), harmBlocks(bytes))

  const store = open()
  t.after(() => store.close())
  const { total, partial } = await store.search(asking('*'))
  const found = await allIds(store)
  assert.equal(partial?.reason, 'damaged')
  assert.ok(found.includes('next'), 'what can be read is read')
  assert.ok(found.length < 2_001)
  assert.equal(total, found.length)
  assert.equal(store.damages()[0]?.lost, 2_001 - found.length)
})

test('a disk too full to write a file again keeps what is there, and retention goes on when there is room', async (t) => {
  if (spawnSync('unshare', ['-rm', 'true']).status !== 0) {
    return t.skip('no file system of our own may be mounted here')
  }
  const mount = ['unshare', '-rm', 'sh', '-c', 'mount -t tmpfs -o size=40m logs "$0" && exec "$@"']
  const directory = newDirectory(t)
  const child = runApart(
    `
    import { readdirSync, rmSync, statfsSync, writeFileSync } from 'node:fs'
    const [folder, filler] = ${JSON.stringify([directory, path.join(directory, 'filler')])}
    const store = openDuckdbLogs({ directory: folder + '/logs', log, reserveMb: 0 })
    const day = ${DAY}
    const words = () => Array.from({ length: 40 }, () => Math.random().toString(36)).join(' ')
    const events = (days, count) => Array.from({ length: count }, (_, at) => ({ ...named(days + '-' + at),
      message: words(), source: at === 1 ? 'debug' : 'sshd', received_at: ${NOW} + days * day }))
    await store.append(events(0, 4000))
    await store.append(events(1, 2))
    await store.append(events(5, 1))
    await store.close()
    const again = openDuckdbLogs({ directory: folder + '/logs', log, reserveMb: 0 })
    const before = (await again.stats()).events
    const { bavail, bsize } = statfsSync(folder)
    writeFileSync(filler, Buffer.alloc(bavail * bsize - 2_000_000))
    const retention = { days: undefined, bytes: undefined, daysBySource: { debug: 1 } }
    const retain = () => again.retain(retention, ${NOW} + 5 * day)
    const refused = await retain().catch((error) => error)
    const free = statfsSync(folder)
    const left = [free.bavail * free.bsize > 1_000_000, (await again.stats()).events]
    rmSync(filler)
    const { dropped } = await retain().catch((error) => ({ dropped: String(error) }))
    const after = (await again.stats()).events
    await again.close()
    process.stdout.write(JSON.stringify({ before, status: refused.status, message: refused.message, left, dropped, after }))`,
    [...mount, directory],
  )
  const answer = JSON.parse(await text(child.stdout))
  assert.match(answer.message, /disk of the log store is full: free space/)
  assert.deepEqual(
    { ...answer, message: '' },
    {
      ...{ before: 4_003, status: 503, message: '' },
      ...{ left: [true, 4_002], dropped: 1, after: 4_001 },
    },
  )
})

test('events do not go for the size of a file that cannot be opened', async (t) => {
  const directory = newDirectory(t)
  const first = openDuckdbLogs({ directory, log })
  const words = () => Array.from({ length: 40 }, () => Math.random().toString(36)).join(' ')
  const day = (number: number, events: number) =>
    Array.from({ length: events }, (_, at) =>
      storedLog({ id: `${number}-${at}`, message: words(), received_at: NOW + number * DAY }),
    )
  await first.append(day(0, 4_000))
  await first.append(day(1, 1))
  await first.append(day(2, 1))
  await first.close()
  const [file = ''] = readdirSync(directory)
    .filter((one) => one.endsWith('.duckdb'))
    .toSorted()
  // Somebody looks into it with a program of their own, which locks it.
  const engine = JSON.stringify(import.meta.resolve('@duckdb/node-api'))
  const other = runApart(`
    const { DuckDBInstance } = await import(${engine})
    const instance = await DuckDBInstance.create(${JSON.stringify(path.join(directory, file))})
    process.stdout.write('open')
    setInterval(() => instance, 1000)`)
  t.after(() => other.kill('SIGKILL'))
  await once(other.stdout, 'data')

  const store = openDuckdbLogs({ directory, log })
  t.after(() => store.close())
  assert.deepEqual(await allIds(store), ['1-0', '2-0'])
  const bytes = 2 * 1024 * 1024
  assert.ok((await store.stats()).bytes > bytes)
  assert.deepEqual(await store.retain({ days: undefined, bytes, daysBySource: {} }, NOW), {
    dropped: 0,
  })
  assert.deepEqual(await allIds(store), ['1-0', '2-0'])
})

/** Every second block behind the headers, but for the last, which say what is where. */
function harmBlocks(bytes: Buffer): Buffer {
  const [headers, block] = [3 * 4_096, 262_144]
  const harmedBytes = Buffer.from(bytes)
  for (let at = headers; at < bytes.length - 3 * block; at += block)
    harmedBytes.fill(7, at + 100, at + 200)
  return harmedBytes
}

async function checkpoint(file: string) {
  const instance = await DuckDBInstance.create(':memory:')
  const connection = await instance.connect()
  await connection.run(`ATTACH '${file}' AS p; CHECKPOINT p`)
  connection.closeSync()
  instance.closeSync()
}

test('days, filters and ids are the same after a restart', async (t) => {
  const directory = newDirectory(t)
  const open = (filterMb: number) =>
    openDuckdbLogs({ directory, log, segmentEvents: 10, partitionEvents: 40, filterMb })
  const logs = Array.from({ length: 205 }, (_, index) =>
    storedLog({
      id: `log-${index}`,
      message: `needle-${index}-`,
      received_at: NOW + Math.floor(index / 100) * DAY,
    }),
  )
  const first = open(256)
  for (let from = 0; from < logs.length; from += 15) await first.append(logs.slice(from, from + 15))
  await first.close()
  const files = readdirSync(directory).filter((file) => file.endsWith('.duckdb'))
  assert.ok(files.length >= 5, 'a file for every 40 events or so, and for every day')

  for (const filterMb of [256, 0]) {
    const store = open(filterMb)
    for (const index of [0, 99, 104, 204]) {
      const { logs: found } = await store.search(asking(`needle-${index}-`))
      assert.deepEqual(
        found.map(({ id }) => id),
        [`log-${index}`],
      )
      assert.equal((await store.byId(`log-${index}`))?.id, `log-${index}`)
    }
    assert.equal((await store.search(asking('*'))).total, 205)
    const again = await store.append([logs[204] as StoredLog, logs[203] as StoredLog])
    assert.equal(again.duplicates, 2)
    await store.close()
  }
})

test('only the file of the last day has a write-ahead log for the next start to replay', async (t) => {
  const directory = newDirectory(t)
  const waiting = () => readdirSync(directory).filter((file) => file.endsWith('.wal'))
  const open = () => openDuckdbLogs({ directory, log, segmentEvents: 10 })
  const append = async (store: LogStore, day: number) => {
    const logs = Array.from({ length: 15 }, (_, index) =>
      storedLog({ id: `${day}-${index}`, received_at: NOW + day * DAY }),
    )
    await store.append(logs)
  }
  const first = open()
  for (const day of [0, 1, 2]) await append(first, day)
  await until('the days before are settled', () => waiting().length === 1)
  assert.match(waiting()[0] ?? '', /^2026-03-17/)
  assert.equal((await first.search(asking('*'))).total, 45)
  await append(first, 3)
  await first.close()

  const second = open()
  await append(second, 4)
  await until('also what a stop came before', () => waiting().length === 1)
  assert.equal((await second.search(asking('*'))).total, 75)
  await second.close()
})

test('a directory has one owner in a process', async (t) => {
  const directory = newDirectory(t)
  const store = openDuckdbLogs({ directory, log })
  assert.throws(() => openDuckdbLogs({ directory: `${directory}/.`, log }), /is open already/)
  await store.close()
  await assert.rejects(store.search(asking('*')), { status: 503 })
  const next = openDuckdbLogs({ directory, log })
  await next.close()
})
