import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createTurns } from './turns.ts'

/** Windows of one browser: what one says all others hear, and time goes by for all. */
function browser() {
  let time = 0
  const gone = new Set<string>()
  let due: { at: number; work(): void }[] = []
  const windows: { id: string; turns: ReturnType<typeof createTurns> }[] = []
  return {
    open(id: string) {
      const turns = createTurns({
        id,
        post: (word) => {
          if (gone.has(id)) return
          for (const one of windows) if (one.id !== id) one.turns.told(word)
        },
        now: () => time,
        after(ms, work) {
          const one = { at: time + ms, work }
          due.push(one)
          return () => {
            due = due.filter((other) => other !== one)
          }
        },
      })
      windows.push({ id, turns })
      turns.start()
      time += 1
      return turns
    },
    /** Without a word, as a window does that crashes. */
    kill: (id: string) => gone.add(id),
    pass(ms: number) {
      const end = time + ms
      for (;;) {
        due.sort((one, other) => one.at - other.at)
        const next = due[0]
        if (!next || next.at > end) break
        due.shift()
        time = Math.max(time, next.at)
        next.work()
      }
      time = end
    },
  }
}

test('three tails follow the logs, a fourth waits until one of them is over', () => {
  const { open, pass } = browser()
  const [first, second, third, fourth] = ['d', 'c', 'b', 'a'].map(open)
  const turns = () => [first, second, third, fourth].map((one) => one?.isOurs.value)
  assert.deepEqual(turns(), [true, true, true, false])
  pass(60_000)
  assert.deepEqual(turns(), [true, true, true, false])
  second?.stop()
  assert.equal(fourth?.isOurs.value, true)
  // Who comes back comes last.
  second?.start()
  assert.equal(second?.isOurs.value, false)
})

test('a window that is gone without a word is not waited for', () => {
  const { open, pass, kill } = browser()
  const [, , , fourth] = ['a', 'b', 'c', 'd'].map(open)
  assert.equal(fourth?.isOurs.value, false)
  kill('a')
  pass(10_000)
  assert.equal(fourth?.isOurs.value, true)
})
