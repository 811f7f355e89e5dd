import assert from 'node:assert/strict'
import { spawn, spawnSync } from 'node:child_process'
import { mkdtempSync, readdirSync, readFileSync, rmSync, truncateSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { createInterface } from 'node:readline'
import { text } from 'node:stream/consumers'
import { type TestContext, test } from 'node:test'
import { createLogger } from '@manara/kit/logging'
import { asking, DAY, NOW, selecting, storedLog } from '../ports/log-store.contract.ts'
import type { LogStore, StoredLog } from '../ports/log-store.ts'
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
    const store = openDuckdbLogs({ directory: ${JSON.stringify(directory)}, log, segmentEvents: 50 })
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

test('a log file whose last write was cut short opens with what was whole', async (t) => {
  const directory = newDirectory(t)
  const first = openDuckdbLogs({ directory, log })
  await first.append([storedLog({ id: 'whole' })])
  await first.append([storedLog({ id: 'cut' })])
  await first.close()
  const [wal] = readdirSync(directory).filter((file) => file.endsWith('.wal'))
  const file = path.join(directory, wal as string)
  truncateSync(file, readFileSync(file).length - 5)

  const second = openDuckdbLogs({ directory, log })
  t.after(() => second.close())
  assert.deepEqual(await allIds(second), ['whole'])
  await second.append([storedLog({ id: 'cut' })])
  assert.deepEqual((await allIds(second)).toSorted(), ['cut', 'whole'])
})

test('a damaged file is left out and named, the others are read', async (t) => {
  const directory = newDirectory(t)
  const first = openDuckdbLogs({ directory, log })
  await first.append([storedLog({ id: 'old', received_at: NOW - 2 * DAY })])
  await first.append([storedLog({ id: 'new' })])
  await first.close()
  const [oldest] = readdirSync(directory).toSorted()
  truncateSync(path.join(directory, oldest as string), 100)

  const warnings: unknown[] = []
  const store = openDuckdbLogs({
    directory,
    log: { error: () => {}, warn: (text: unknown) => void warnings.push(text) },
  })
  t.after(() => store.close())
  assert.deepEqual(await allIds(store), ['new'])
  assert.match(String(warnings[0]), new RegExp(`${oldest}.* cannot be read`))
})

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

test('a directory has one owner in a process', async (t) => {
  const directory = newDirectory(t)
  const store = openDuckdbLogs({ directory, log })
  assert.throws(() => openDuckdbLogs({ directory: `${directory}/.`, log }), /is open already/)
  await store.close()
  await assert.rejects(store.search(asking('*')), { status: 503 })
  const next = openDuckdbLogs({ directory, log })
  await next.close()
})
