import assert from 'node:assert/strict'
import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { type TestContext, test } from 'node:test'
import { openDuckdbLogs } from '../../../adapters/duckdb-logs.ts'
import type { PackedLogs } from '../../../ports/log-store.ts'
import { storedLog } from '../../../testing/stored-log.ts'
import { silentLog } from '../../../testing/test-postgres.ts'
import { createEventReader } from './read/event-reader.ts'
import { rehearse } from './rehearse.ts'

function openLogs(t: TestContext) {
  const directory = mkdtempSync(path.join(tmpdir(), 'rehearse-'))
  const logs = openDuckdbLogs({ directory, log: silentLog })
  t.after(async () => {
    await logs.close()
    rmSync(directory, { recursive: true, force: true })
  })
  const reader = createEventReader({ log: silentLog, packer: logs.packer })
  t.after(() => reader.stop())
  return { logs, reader, place: path.join(directory, 'rehearsal') }
}

test('a rehearsal stores events that nobody finds, and leaves nothing behind', async (t) => {
  const { logs, reader, place } = openLogs(t)
  // As a process left it that was killed.
  mkdirSync(place, { recursive: true })
  writeFileSync(path.join(place, '2026-01-01-001.duckdb'), 'half a file')
  await logs.append([storedLog({ id: 'real' })])

  let rows = 0
  const repeats: number[] = []
  const rehearsal = {
    rehearse() {
      const own = logs.rehearse?.()
      assert.ok(own)
      return {
        ...own,
        async append(parts: PackedLogs[]) {
          const known = await own.append(parts)
          rows += parts.reduce((sum, part) => sum + (logs.unpack?.(part).length ?? 0), 0)
          repeats.push(...known.flat())
          return known
        },
      }
    },
    unpack: logs.unpack as NonNullable<typeof logs.unpack>,
  }
  await rehearse({ reader, logs: rehearsal })
  assert.ok(rows > 10_000, `${rows} events`)
  assert.deepEqual(repeats, [], 'no event of the sample comes twice')
  assert.equal(existsSync(place), false)
  assert.equal((await logs.stats()).events, 1)
  const [found] = await logs.byIds(['real', 'sample-000000000000'])
  assert.equal(found?.id, 'real')
})

test('events that come during a rehearsal are kept, and end it', async (t) => {
  const { logs, reader, place } = openLogs(t)
  const rehearsing = rehearse({ reader, logs })
  const real = Array.from({ length: 5_000 }, (_, n) => storedLog({ at: n, id: `real-${n}` }))
  const stored = await Promise.all(
    [0, 1, 2, 3, 4].map((n) => logs.append(real.slice(n * 1_000, (n + 1) * 1_000))),
  )
  assert.deepEqual(
    stored.map(({ duplicates }) => duplicates),
    [0, 0, 0, 0, 0],
  )
  const body = Buffer.from('{"message":"real"}\n'.repeat(100))
  const format = { kind: 'native', contentType: 'application/x-ndjson' } as const
  let read = 0
  for await (const part of reader.read({ way: 'api', receivedAt: 0, format, body })) {
    assert.ok('size' in part)
    read += part.size
  }
  assert.equal(read, 100)
  await rehearsing
  assert.equal((await logs.stats()).events, 5_000)
  assert.equal(existsSync(place), false)
})

test('a store that is closed meanwhile takes its rehearsal with it', async (t) => {
  const { logs, reader, place } = openLogs(t)
  const rehearsing = rehearse({ reader, logs })
  await logs.stats()
  await logs.close()
  await rehearsing.catch(() => {})
  assert.equal(existsSync(place), false)
})

test('a rehearsal that fails says so to nobody, and the store goes on', async (t) => {
  const { logs, reader } = openLogs(t)
  const failing = {
    rehearse: () => ({
      append: () => Promise.reject(new Error('no room')),
      end: async () => {},
    }),
    unpack: logs.unpack as NonNullable<typeof logs.unpack>,
  }
  await rehearse({ reader, logs: failing })
  const { duplicates } = await logs.append([storedLog({ id: 'real' })])
  assert.equal(duplicates, 0)
})
