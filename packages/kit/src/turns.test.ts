import assert from 'node:assert/strict'
import { test } from 'node:test'
import { mapInTurns, nextTurn, startTurns } from './turns.ts'

test('each turn of the event loop goes to one of those who wait', async () => {
  const served: string[] = []
  let isDone = false
  const count = () => {
    served.push('loop')
    if (!isDone) setImmediate(count)
  }
  setImmediate(count)
  await Promise.all(
    ['a', 'b', 'c'].map(async (name) => {
      await nextTurn()
      served.push(name)
    }),
  )
  isDone = true
  const [a, b, c] = ['a', 'b', 'c'].map((name) => served.indexOf(name))
  assert.ok(served.slice(a, b).includes('loop'))
  assert.ok(served.slice(b, c).includes('loop'))
})

test('a loop waits for its turn, works for a slice, and waits again', async () => {
  let time = 0
  const turn = startTurns(() => time)
  await turn()
  assert.equal(turn(), undefined)
  time = 3
  assert.equal(turn(), undefined)
  time = 4
  assert.ok(turn() instanceof Promise)
})

test('a long list is worked off in its order while the event loop serves others', async () => {
  let time = 0
  const served: string[] = []
  setImmediate(() => served.push('other'))
  const doubled = await mapInTurns(
    [1, 2, 3, 4],
    (one) => {
      time += 3
      served.push(String(one))
      return 2 * one
    },
    () => time,
  )
  assert.deepEqual(doubled, [2, 4, 6, 8])
  assert.deepEqual(served, ['1', '2', 'other', '3', '4'])
})
