import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { test } from 'node:test'
import { createLogger } from '@manara/kit/logging'
import { openDuckdbLogs } from '../../../adapters/duckdb-logs.ts'
import type { LogStore, StoredLog } from '../../../ports/log-store.ts'
import { storedLog } from '../../../testing/stored-log.ts'
import { storeOthers } from './other-index.ts'

const log = createLogger({ service: 'test', level: 'silent', pretty: false })

test('many documents whose ids are known are told apart with one question to the store', async (t) => {
  const directory = mkdtempSync(path.join(tmpdir(), 'other-index-'))
  const store = openDuckdbLogs({ directory, log })
  t.after(async () => {
    await store.close()
    rmSync(directory, { recursive: true, force: true })
  })
  let asked = 0
  const counted: Pick<LogStore, 'append' | 'byIds' | 'search'> = {
    append: store.append,
    search(...request) {
      asked += 1
      return store.search(...request)
    },
    byIds(...request) {
      asked += 1
      return store.byIds(...request)
    },
  }
  const documents = (index: string): StoredLog[] =>
    Array.from({ length: 500 }, (_, n) => storedLog({ id: `${n}`, fields: { _index: index } }))
  const all = new Set(documents('orders').keys())
  const before = documents('orders')
  await store.append(before)

  assert.equal((await storeOthers(counted, documents('orders'), all)).size, 0, 'sent again')
  assert.equal(asked, 1)
  const mixed = before.map((one, n) => (n % 2 === 0 ? one : (documents('users')[n] as StoredLog)))
  const others = await storeOthers(counted, mixed, all)
  assert.equal(asked, 2)
  assert.equal(others.size, 250)
  assert.equal(others.get(3)?.id, '3@users')

  // The store knows an id for a day.
  const later = documents('orders').map((one) => ({
    ...one,
    received_at: one.received_at + 2 * 86_400_000,
  }))
  assert.equal((await storeOthers(counted, later, all)).size, 500)
})
