import assert from 'node:assert/strict'
import { test } from 'node:test'
import { onlineManager } from '@tanstack/query-core'
import { createReads } from './reads.ts'

test('the service is read also when the browser says that it is offline', async (t) => {
  onlineManager.setOnline(false)
  t.after(() => onlineManager.setOnline(true))
  const asked: string[] = []
  const reads = createReads({
    api: {
      async get<Reply>(path: string) {
        asked.push(path)
        return { total: 1 } as Reply
      },
    },
    after: () => {},
    now: () => 0,
  })
  const { leave } = reads.watch('/alerts')
  t.after(leave)
  await new Promise((resolve) => setImmediate(resolve))
  assert.deepEqual(asked, ['/alerts'])
})
