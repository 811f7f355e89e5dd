import assert from 'node:assert/strict'
import { test } from 'node:test'
import { unavailable } from '@manara/kit/errors'
import type { RuntimeMode } from '@manara/soc-contract/system'
import { modeOf } from '../../../core/mode/mode.ts'
import { createReadLogs, type ReadableLogs } from './readable-logs.ts'

const store = { sources: async () => [] } as unknown as ReadableLogs
const away = {
  sources: async () => {
    throw unavailable('the log store is away')
  },
} as unknown as ReadableLogs
const broken = {
  sources: async () => {
    throw new Error('a bug')
  },
} as unknown as ReadableLogs
const showcase = {
  sources: async () => [{ source: 'story', count: 1, firstAt: 0, lastAt: 0 }],
} as unknown as ReadableLogs

type Seen = 'store' | 'showcase' | RegExp
const TABLE: [mode: RuntimeMode, hasDatabase: boolean, from: ReadableLogs, seen: Seen][] = [
  ['real', true, store, 'store'],
  ['real', false, store, 'store'],
  ['real', true, away, /away/],
  ['dry_run', true, away, /away/],
  ['dummy', true, store, 'store'],
  ['dummy', true, away, 'showcase'],
  ['dummy', true, broken, /a bug/],
  ['dummy', false, store, 'showcase'],
]

for (const [mode, hasDatabase, from, seen] of TABLE) {
  const state = from === store ? 'there' : from === away ? 'away' : 'broken'
  test(`${mode}, database ${hasDatabase ? 'there' : 'away'}, log store ${state}: ${seen}`, async () => {
    const readLogs = createReadLogs({
      mode: modeOf(mode),
      isDatabaseAvailable: () => hasDatabase,
      store: from,
      showcase,
    })
    const sources = readLogs((logs) => logs.sources())
    if (seen instanceof RegExp) await assert.rejects(sources, seen)
    else assert.equal((await sources).length, seen === 'store' ? 0 : 1)
  })
}
