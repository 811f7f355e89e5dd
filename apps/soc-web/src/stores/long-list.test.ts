import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createLongList } from './long-list.ts'

type Row = { id: string; status: string }
const rowOf = (n: number): Row => ({ id: `row-${n}`, status: 'new' })
const settled = () => new Promise((resolve) => setImmediate(resolve))

function list(total: number) {
  const asked: string[] = []
  const state = { isDown: false }
  const rows = createLongList<Row>({
    idOf: ({ id }) => id,
    async load({ cursor, skip, limit }) {
      asked.push(cursor ?? `skip ${skip}`)
      if (state.isDown) throw new Error('down')
      const items = Array.from({ length: Math.min(limit, total - skip) }, (_, n) => rowOf(skip + n))
      return { items, total, next_cursor: `after ${skip + items.length}` }
    },
  })
  return { rows, asked, state }
}

test('neighbours come by cursor, leaps by their place, each page once', async () => {
  const { rows, asked } = list(1_000_000)
  rows.want(0, 20)
  rows.want(5, 25)
  await settled()
  rows.want(190, 210)
  rows.want(500_000, 500_020)
  await settled()
  assert.deepEqual(asked, ['skip 0', 'after 200', 'skip 500000'])
  assert.deepEqual(
    [rows.at(7)?.id, rows.at(500_001)?.id, rows.at(900)],
    ['row-7', 'row-500001', undefined],
  )
})

test('what arrives waits until it is asked for, once, and then stands above', async () => {
  const { rows } = list(3)
  rows.want(0, 2)
  await settled()
  rows.arrived({ id: 'fresh', status: 'new' }, false)
  rows.arrived({ id: 'fresh', status: 'new' }, false)
  rows.arrived({ id: 'row-2', status: 'new' }, false)
  assert.deepEqual([rows.size(), rows.waiting.value.length, rows.at(0)?.id], [3, 1, 'row-0'])
  rows.showWaiting()
  assert.deepEqual([rows.size(), rows.at(0)?.id, rows.at(1)?.id], [4, 'fresh', 'row-0'])
})

test('what waited comes with what is shown after it, the newest first', async () => {
  const { rows } = list(1)
  rows.want(0, 0)
  await settled()
  rows.arrived({ id: 'second', status: 'new' }, false)
  rows.arrived({ id: 'third', status: 'new' }, true)
  assert.deepEqual(
    [0, 1, 2].map((at) => rows.at(at)?.id),
    ['third', 'second', 'row-0'],
  )
  assert.equal(rows.waitingCount.value, 0)
})

test('a row is found by its id where it stands now, if it is loaded', async () => {
  const { rows } = list(1_000)
  rows.want(0, 20)
  rows.want(400, 420)
  await settled()
  assert.deepEqual(['row-7', 'row-401', 'row-300'].map(rows.indexOf), [7, 401, -1])
  rows.arrived({ id: 'fresh', status: 'new' }, true)
  assert.deepEqual(['fresh', 'row-7', 'row-401'].map(rows.indexOf), [0, 8, 402])
})

test('a change is shown at once and can be taken back', async () => {
  const { rows } = list(3)
  rows.want(0, 2)
  await settled()
  const undo = rows.change([['row-1', { status: 'closed' }]])
  assert.equal(rows.at(1)?.status, 'closed')
  undo()
  assert.equal(rows.at(1)?.status, 'new')
})

test('a page that failed is asked for again; one of an older snapshot is not shown', async () => {
  const { rows, state } = list(3)
  state.isDown = true
  rows.want(0, 2)
  await settled()
  assert.ok(rows.failure.value)
  assert.equal(rows.arrivals.value, 0, 'nobody is told to look, who would ask again at once')
  state.isDown = false
  rows.want(0, 2)
  rows.reset()
  await settled()
  assert.deepEqual([rows.size(), rows.isLoaded.value], [0, false])
})

test('memory does not grow with the way one scrolls', async () => {
  const { rows, asked } = list(1_000_000)
  for (let page = 0; page < 200; page += 1) {
    rows.want(page * 200, page * 200 + 10)
    await settled()
  }
  rows.want(0, 10)
  await settled()
  assert.equal(asked.at(-1), 'skip 0')
})

test('memory does not grow with what arrives, and nothing of it is lost', async () => {
  const { rows, asked } = list(1_000_000)
  rows.want(0, 20)
  await settled()
  for (let n = 0; n < 1_500; n += 1) {
    rows.arrived({ id: `fresh-${n}`, status: 'new' }, false)
    rows.change([[`elsewhere-${n}`, { status: 'closed' }]])
  }
  rows.change([['row-3', { status: 'closed' }]])
  assert.equal(rows.waitingCount.value, 1_500)
  assert.ok(rows.waiting.value.length <= 500)
  assert.equal(rows.at(3)?.status, 'closed')
  rows.showWaiting()
  await settled()
  assert.deepEqual(
    [asked.at(-1), rows.waitingCount.value, rows.isLoaded.value],
    ['skip 0', 0, true],
  )
  for (let n = 0; n < 1_500; n += 1) rows.arrived({ id: `seen-${n}`, status: 'new' }, true)
  assert.ok(rows.head.value.length <= 500)
})

test('what is taken back takes nothing else back that was heard meanwhile', async () => {
  const { rows } = list(3)
  rows.want(0, 2)
  await settled()
  rows.change([['row-2', { status: 'triaged' }]])
  const takeBack = rows.change([0, 1, 2].map((n) => [`row-${n}`, { status: 'closed' }]))
  rows.change([['row-1', { status: 'escalated' }]])
  takeBack()
  assert.deepEqual(
    [0, 1, 2].map((n) => rows.at(n)?.status),
    ['new', 'escalated', 'triaged'],
  )
})

test('what is printed are the rows around one that are here without a gap', async () => {
  const { rows } = list(1_000_000)
  assert.equal(rows.heldAround(0), undefined)
  rows.want(0, 250)
  rows.want(500_000, 500_020)
  await settled()
  rows.arrived({ id: 'fresh', status: 'new' }, true)
  assert.deepEqual(rows.heldAround(0), { first: 0, last: 400 })
  assert.deepEqual(rows.heldAround(500_010), { first: 500_001, last: 500_200 })
  assert.equal(rows.heldAround(900), undefined)
  rows.want(0, 3_000)
  await settled()
  assert.deepEqual(rows.heldAround(0), { first: 0, last: 1_000 })
  const { rows: few } = list(3)
  few.want(0, 2)
  await settled()
  assert.deepEqual(few.heldAround(0), { first: 0, last: 2 })
})
