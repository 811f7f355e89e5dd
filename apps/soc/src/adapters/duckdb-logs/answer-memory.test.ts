import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createAnswerMemory } from './answer-memory.ts'

const MB = 2 ** 20

function memory() {
  const seen = { collected: 0 }
  let waiting: (() => void)[] = []
  const { note } = createAnswerMemory({
    collect() {
      seen.collected += 1
    },
    later: (work) => waiting.push(work),
  })
  function pass() {
    const due = waiting
    waiting = []
    for (const work of due) work()
    return due.length
  }
  return { seen, pass, read: (bytes: number) => note([['x'.repeat(bytes)]]) }
}

test('answers that were much are given back at once', () => {
  const { seen, read } = memory()
  read(20 * MB)
  assert.equal(seen.collected, 0)
  read(20 * MB)
  assert.equal(seen.collected, 1)
  read(20 * MB)
  assert.equal(seen.collected, 1, 'counted from then on')
})

test('some are given back after a while, looked at once for many answers', () => {
  const { seen, read, pass } = memory()
  for (let answers = 0; answers < 5; answers += 1) read(MB)
  assert.equal(pass(), 1)
  assert.equal(seen.collected, 1)
})

test('few are left to V8', () => {
  const { seen, read, pass } = memory()
  read(1_000)
  assert.equal(pass(), 1)
  assert.equal(seen.collected, 0)
})
