import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createFairTurns } from './fair-turns.ts'

/** Work that ends when it is told to, and the order in which it began. */
function held(limits: { atOnce: number; each: number }) {
  const turns = createFairTurns({ ...limits, tooMuch: 'wait for one to end' })
  const begun: string[] = []
  const ends = new Map<string, () => void>()
  const run = (who: string, name: string, signal?: AbortSignal) =>
    turns.run(
      who,
      () => {
        begun.push(name)
        return new Promise<void>((resolve) => ends.set(name, resolve))
      },
      signal,
    )
  const end = async (name: string) => {
    while (!ends.has(name)) await new Promise(setImmediate)
    ends.get(name)?.()
    await new Promise(setImmediate)
  }
  return { run, begun, end }
}

test('one who asks for much waits, and others come in between', async () => {
  const { run, begun, end } = held({ atOnce: 1, each: 10 })
  const all = [run('ann', 'a1'), run('ann', 'a2'), run('ann', 'a3'), run('bob', 'b1')]
  for (const name of ['a1', 'a2', 'b1', 'a3']) await end(name)
  await Promise.all(all)
  assert.deepEqual(begun, ['a1', 'a2', 'b1', 'a3'])
})

test('who has too much under way is told what to do, and others are not', async () => {
  const { run, end } = held({ atOnce: 1, each: 2 })
  const all = [run('ann', 'a1'), run('ann', 'a2')]
  await assert.rejects(run('ann', 'a3'), { status: 429, message: 'wait for one to end' })
  all.push(run('bob', 'b1'))
  for (const name of ['a1', 'a2', 'b1']) await end(name)
  await Promise.all(all)
  const again = run('ann', 'a4')
  await end('a4')
  await again
})

test('who gives up while waiting takes nobody’s turn', async () => {
  const { run, begun, end } = held({ atOnce: 1, each: 10 })
  const first = run('ann', 'a1')
  const abort = new AbortController()
  const second = run('ann', 'a2', abort.signal)
  const third = run('bob', 'b1')
  abort.abort(new Error('gone'))
  await assert.rejects(second, /gone/)
  await end('a1')
  await end('b1')
  await Promise.all([first, third])
  assert.deepEqual(begun, ['a1', 'b1'])
})
