import assert from 'node:assert/strict'
import { test } from 'node:test'
import { onlineManager } from '@tanstack/query-core'
import { Refused } from './api.ts'
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

test('what the service could not answer is asked again when it answers, what it refused is not', async (t) => {
  const asked: string[] = []
  const reads = createReads({
    api: {
      async get<Reply>(path: string): Promise<Reply> {
        asked.push(path)
        if (path === '/fine') return {} as Reply
        throw new Refused(path === '/refused' ? 404 : 502, '')
      },
    },
    after: () => {},
    now: () => 0,
  })
  for (const path of ['/fine', '/refused', '/failed']) t.after(reads.watch(path).leave)
  await new Promise((resolve) => setImmediate(resolve))
  reads.renewFailed()
  await new Promise((resolve) => setImmediate(resolve))
  assert.deepEqual(asked, ['/fine', '/refused', '/failed', '/failed'])
})

test('of one record only events that name it are heard', async (t) => {
  const asked: string[] = []
  const reads = createReads({
    api: {
      async get<Reply>(path: string) {
        asked.push(path)
        return {} as Reply
      },
    },
    after: (_, then) => then(),
    now: () => 0,
  })
  t.after(reads.watch('/cases/a', { on: ['case'], about: 'a' }).leave)
  t.after(reads.watch('/cases', { on: ['case'] }).leave)
  await new Promise((resolve) => setImmediate(resolve))
  reads.hear('case', '{"id":"b"}')
  await new Promise((resolve) => setImmediate(resolve))
  reads.hear('case', '{"id":"a"}')
  await new Promise((resolve) => setImmediate(resolve))
  assert.deepEqual(asked.slice(2), ['/cases', '/cases/a', '/cases'])
})

test('of a list, those that name what it is of, or one of its records', async (t) => {
  let asked = 0
  const reads = createReads({
    api: {
      async get<Reply>() {
        asked += 1
        return { items: [{ id: 'alert-1' }] } as Reply
      },
    },
    after: (_, then) => then(),
    now: () => 0,
  })
  const which = { on: ['alert'], about: 'case-a', orListed: true }
  t.after(reads.watch('/alerts?case_id=case-a', which).leave)
  const heard = []
  for (const told of [{ id: 'alert-2' }, { id: 'alert-1' }, { id: 'alert-2', case_id: 'case-a' }]) {
    await new Promise((resolve) => setImmediate(resolve))
    reads.hear('alert', JSON.stringify(told))
    await new Promise((resolve) => setImmediate(resolve))
    heard.push(asked)
  }
  assert.deepEqual(heard, [1, 2, 3])
})

test('one who asks for much is not held up by what events make stale', async (t) => {
  const waits: number[] = []
  const state = { isBusy: false }
  const reads = createReads({
    api: { get: async <Reply>() => ({}) as Reply },
    after: (ms) => void waits.push(ms),
    now: Date.now,
    isBusy: () => state.isBusy,
  })
  for (const path of ['/a', '/b']) t.after(reads.watch(path, { on: ['alert'] }).leave)
  await new Promise((resolve) => setImmediate(resolve))
  reads.soon('/a')
  state.isBusy = true
  // What is due already is not asked for twice.
  reads.hear('alert')
  const [calm = 0, busy = 0, ...more] = waits
  assert.ok(calm <= 5_000 && busy > 10_000 && busy <= 15_000, `${waits}`)
  assert.deepEqual(more, [])
})

test('what no event tells of is read every so often while somebody looks', async () => {
  const due: (() => void)[] = []
  const asked: string[] = []
  const state = { isSeen: true }
  const reads = createReads({
    api: {
      async get<Reply>(path: string) {
        asked.push(path)
        return {} as Reply
      },
    },
    after: (_, then) => void due.push(then),
    now: () => 0,
    isSeen: () => state.isSeen,
  })
  const pass = async () => {
    due.shift()?.()
    await new Promise((resolve) => setImmediate(resolve))
  }
  const { leave } = reads.watch('/siem/sources', { everyMs: 30_000 })
  await new Promise((resolve) => setImmediate(resolve))
  await pass()
  await pass()
  assert.equal(asked.length, 3)
  state.isSeen = false
  await pass()
  state.isSeen = true
  leave()
  await pass()
  assert.deepEqual([asked.length, due.length], [3, 0])
})

test('what is known, or a change has answered, is not asked for until an event makes it stale', async (t) => {
  const asked: string[] = []
  const reads = createReads({
    api: {
      async get<Reply>(path: string) {
        asked.push(path)
        return { status: 'closed' } as Reply
      },
    },
    after: (_, then) => then(),
    now: Date.now,
  })
  const path = '/alerts/a'
  const { read, leave } = reads.watch(path, { on: ['alert'], about: 'a', known: { status: 'new' } })
  t.after(leave)
  await new Promise((resolve) => setImmediate(resolve))
  assert.deepEqual([asked, read.value.data], [[], { status: 'new' }])
  reads.put(path, { status: 'triaged' })
  assert.deepEqual([asked, read.value.data], [[], { status: 'triaged' }])
  reads.hear('alert', '{"id":"a"}')
  await new Promise((resolve) => setImmediate(resolve))
  assert.deepEqual([asked, read.value.data], [[path], { status: 'closed' }])
})
