import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Alert } from '@manara/soc-contract/alerts'
import { type Api, Previewed } from '../../stores/api.ts'
import { createQueue } from './queue.ts'
import { ALL, only } from './selection.ts'

const alert = (id: string, more: Partial<Alert> = {}) =>
  ({
    ...{ id, status: 'new', severity: 'low', tags: [], created_at: '2026-11-15T12:00:00.000Z' },
    ...more,
  }) as unknown as Alert

const NOW = Date.parse('2026-11-15T12:30:00.000Z')

/** A queue of these open alerts, with what it posts; each post is answered by the next reply. */
async function queueOf(alerts: Alert[], ...replies: (object | Error)[]) {
  const posted: Record<string, unknown>[] = []
  const asked: string[] = []
  const api = {
    async get(path: string) {
      asked.push(path)
      return { items: alerts, total: alerts.length, next_cursor: null }
    },
    async post(_: string, body?: object) {
      posted.push({ ...body })
      const reply = replies.shift()
      if (reply instanceof Error) throw reply
      return reply
    },
  } as unknown as Pick<Api, 'get' | 'post'>
  const queue = createQueue(api, { status: 'new' }, () => NOW)
  queue.want(0, 10)
  await new Promise((resolve) => setImmediate(resolve))
  const hear = (event: string, data: object, mayShow = false) =>
    queue.hear({ event, data: data as Record<string, unknown> }, mayShow)
  return { queue, posted, asked, hear }
}

test('all that match is all that was shown: what waits is not settled unseen', async () => {
  const reply = { updated: 1, before: { new: ['a'] }, has_more: false }
  const { queue, posted, hear } = await queueOf([alert('a')], reply)
  // Of a longer transaction, and after the newest row.
  hear('alert.created', alert('b', { created_at: '2026-11-15T11:59:59.000Z' }))
  hear('alert.created', alert('c', { created_at: '2026-11-15T12:00:09.000Z' }))
  await queue.settle(ALL, 'closed')
  assert.deepEqual(posted, [
    {
      filter: { status: 'new', to: '2026-11-15T12:00:00.001Z' },
      ...{ except: ['b'], most: 5_000, status: 'closed' },
    },
  ])
})

test('more than one change can be of is settled in parts, and what was done is told', async () => {
  const first = { updated: 2, before: { new: ['a'], triaged: ['t'] }, has_more: true }
  const second = { updated: 1, before: { new: ['b'] }, has_more: false }
  const { queue, posted } = await queueOf([alert('a')], first, second)
  const before = { new: ['a', 'b'], triaged: ['t'] }
  assert.deepEqual(await queue.settle(ALL, 'closed'), { updated: 3, before })
  assert.equal(posted.length, 2)
  const cut = await queueOf([alert('a')], first, new Error('away'))
  const settled = await cut.queue.settle(ALL, 'closed')
  assert.deepEqual([settled.updated, String(settled.failure)], [2, 'Error: away'])
  // In a dry run the rows are as they were.
  const dry = await queueOf([alert('a')], new Previewed(), new Previewed())
  await assert.rejects(dry.queue.settle(ALL, 'closed'), Previewed)
  await assert.rejects(dry.queue.settle(only('a'), 'closed'), Previewed)
  assert.deepEqual([dry.posted.length, dry.queue.at(0)?.status], [2, 'new'])
})

test('an alert that came again after it was settled is a new one, or its row says so', async () => {
  const { queue, hear } = await queueOf([alert('a')])
  hear('alert.bulk_updated', { ids: ['a'], status: 'closed' })
  hear('alert.repeated', { id: 'a', occurrence_count: 2 })
  assert.deepEqual([queue.at(0)?.status, queue.at(0)?.occurrence_count], ['closed', 2])
  hear('alert.reopened', alert('a', { occurrence_count: 2 }))
  hear('alert.reopened', alert('long ago'))
  hear('alert.reopened', alert('of no interest', { status: 'triaged' }))
  assert.deepEqual([queue.at(0)?.status, queue.waitingCount.value], ['new', 1])
})

test('what came since is asked for by the clock of the service', async () => {
  const { asked, hear } = await queueOf([alert('a')])
  hear('ready', {})
  await new Promise((resolve) => setImmediate(resolve))
  const from = new URLSearchParams(asked.at(-1)?.split('?')[1]).get('from')
  assert.equal(from, new Date(NOW).toISOString())
})

test('a row of which only the status was told is not taken for the whole alert', async () => {
  const { queue, hear } = await queueOf([alert('a'), alert('b')], { updated: 1, before: {} })
  hear('alert.bulk_updated', { ids: ['a'], status: 'closed' })
  await queue.settle(only('b'), 'closed')
  assert.deepEqual(
    [queue.isWhole('a'), queue.isWhole('b'), queue.isWhole('c')],
    [false, false, true],
  )
  hear('alert.updated', alert('a', { status: 'closed', closed_by: 'kim' }))
  hear('alert.repeated', { id: 'b', occurrence_count: 2 })
  assert.deepEqual([queue.isWhole('a'), queue.isWhole('b')], [true, false])
})
