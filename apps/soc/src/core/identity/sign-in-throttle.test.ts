import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Kysely } from 'kysely'
import type { Tables } from '../../db/tables.ts'
import { createSignInThrottle } from './sign-in-throttle.ts'

const slowed = { lanes: [{ key: 'a known place', limit: 2, windowMs: 60_000 }], isSlowed: true }

function throttleWithout(wait: (ms: number) => Promise<unknown>) {
  const database = { kysely: undefined as unknown as Kysely<Tables>, isAvailable: () => false }
  return createSignInThrottle({ database, mostRight: 20, now: () => 0, wait })
}

const statusOf = (attempt: Promise<boolean>) =>
  attempt.then(
    (right) => (right ? 'in' : 'wrong'),
    (error: { status: number }) => error.status,
  )

test('a known place waits twice as long after each failure, and at most eight seconds', async () => {
  const waits: number[] = []
  const { attempt } = throttleWithout(async (ms) => waits.push(ms))
  const answers = []
  for (let n = 0; n < 9; n += 1) answers.push(await statusOf(attempt(slowed, async () => false)))
  assert.deepEqual(answers, ['wrong', 'wrong', ...Array(7).fill(429)])
  assert.deepEqual(waits, [250, 500, 1_000, 2_000, 4_000, 8_000, 8_000])
  assert.equal(await statusOf(attempt(slowed, async () => true)), 'in')
})

test('not more than ten wait at a known place', async () => {
  const go = Promise.withResolvers<void>()
  const { attempt } = throttleWithout(() => go.promise)
  for (let n = 0; n < 2; n += 1) await attempt(slowed, async () => false)
  const waiting = Array.from({ length: 10 }, () => statusOf(attempt(slowed, async () => true)))
  assert.equal(await statusOf(attempt(slowed, async () => true)), 429)
  go.resolve()
  assert.deepEqual(await Promise.all(waiting), Array(10).fill('in'))
})
