import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Query } from '@manara/log-query/ast'
import { parseQuery } from '@manara/log-query/parse'
import type { DetectionRule } from '@manara/soc-contract/detections'
import type { LogSelection, StoredLog } from '../../../ports/log-store.ts'
import { showcase } from '../../../showcase/showcase.ts'
import { storedLog } from '../../../testing/stored-log.ts'
import { scanRules } from './scan-rules.ts'

const hashes = Array.from({ length: 1_000 }, (_, index) => `hash:${index}`).join(' OR ')

test('the engine is asked for few terms, and the rest is looked at here', async () => {
  const logs = [
    storedLog({ id: 'hit', fields: { EventID: 6, hash: '999' } }),
    storedLog({ id: 'other', fields: { EventID: 6, hash: 'x' } }),
  ]
  const { asked, found } = await scan([`EventID:6 AND (${hashes})`], logs)
  assert.deepEqual(asked, [read('EventID:6')])
  assert.deepEqual(found, ['hit'])
  assert.deepEqual((await scan([hashes], logs)).asked, [{ kind: 'all' }])
  assert.deepEqual((await scan(['a:1', 'b:2'], logs)).asked, [read('a:1 OR b:2')])
})

async function scan(queries: string[], logs: StoredLog[]) {
  const asked: Query[] = []
  const found: string[] = []
  const store = {
    async *scan({ query }: LogSelection) {
      asked.push(query)
      yield logs
    },
  }
  const rule = { ...(showcase.rules[0] as DetectionRule), kind: 'query' as const }
  const watched = { rule, queries: queries.map(read), time: {}, received: {} }
  await scanRules(store, [watched], async (_, hits) => {
    found.push(...hits.map(({ log }) => log.id))
  })
  return { asked, found }
}

function read(text: string): Query {
  const parsed = parseQuery(text, 0)
  assert.ok(parsed.ok)
  return parsed.query
}
