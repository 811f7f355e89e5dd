import assert from 'node:assert/strict'
import { test } from 'node:test'
import { busyFor } from '@manara/kit/testing/busy'
import type { Run } from '../../actions/action.ts'
import { performCall } from './perform-call.ts'

const call = { params: {}, redact: <T>(value: T) => value }
const run = { signal: new AbortController().signal } as Run

/** It is over after so long, or when it is told to be. */
const lasting = (ms: number) => ({
  effect: 'acts' as const,
  run: (_params: unknown, { signal }: Run) =>
    new Promise<object>((resolve, reject) => {
      setTimeout(() => resolve({ done: true }), ms)
      signal.addEventListener('abort', () => reject(signal.reason), { once: true })
    }),
})
const perform = (ms: number, limitMs: number) =>
  performCall(lasting(ms) as never, call as never, run, limitMs)

test('a call is broken off at its limit', async () => {
  const outcome = await perform(60_000, 50)
  assert.ok('failure' in outcome, JSON.stringify(outcome))
})

test('one that is over while this service had no time is not taken for one without an end', async () => {
  const performed = perform(250, 200)
  busyFor(400)
  assert.deepEqual(await performed, { output: { done: true } })
})
