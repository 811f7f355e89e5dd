import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import { AppError } from '../errors.ts'
import type { SampleCalls } from '../testing/sample-worker.ts'
import { handOver } from './hand-over.ts'
import { askThread, startThread } from './start-thread.ts'

const SAMPLE = new URL('../testing/sample-worker.ts', import.meta.url)

function sample(
  t: TestContext,
  options: Parameters<typeof startThread<SampleCalls, string>>[1] = {},
) {
  const thread = startThread<SampleCalls, string>(SAMPLE, options)
  t.after(() => thread.end())
  return thread
}

test('every caller gets the answer to its own question', async (t) => {
  const thread = sample(t)
  const sums = [1, 2, 3].map((number) => thread.call('add', [number, 10]))
  assert.deepEqual(await Promise.all(sums), [11, 12, 13])
})

test('what the thread throws is thrown here, and it goes on answering', async (t) => {
  const thread = sample(t)
  await assert.rejects(thread.call('refuse', []), (error) => {
    assert(error instanceof AppError)
    assert.deepEqual([error.status, error.message], [400, 'sum: is too large'])
    return true
  })
  await assert.rejects(thread.call('fail', []), { name: 'TypeError', message: 'a bug' })
  assert.equal(await thread.call('add', [1, 1]), 2)
})

test('what the thread throws is thrown here without what cannot be sent', async (t) => {
  const thread = sample(t)
  await assert.rejects(thread.call('failUnsendably', []), { name: 'Error', message: 'held' })
  const refused = { name: 'AppError', status: 503, message: 'holds what stays here' }
  await assert.rejects(thread.call('failUnsendably', [503]), refused)
  assert.equal(await thread.call('add', [1, 1]), 2)
})

test('the death of the thread rejects what waits and every call after it', async (t) => {
  const deaths: string[] = []
  const thread = sample(t, { onDeath: (cause) => deaths.push(cause.message) })
  const waiting = assert.rejects(thread.call('wait', []), /has ended/)
  await assert.rejects(thread.call('die', []), /has ended/)
  await waiting
  await assert.rejects(thread.call('add', [1, 1]), /has ended/)
  assert.deepEqual(deaths, ['the thread has ended'])
})

test('who gives up is rejected at once, and the thread is told to stop', async (t) => {
  const begun = Promise.withResolvers<string>()
  const thread = sample(t, { onNews: begun.resolve })
  const abort = new AbortController()
  const waiting = thread.call('wait', [], abort.signal)
  assert.equal(await begun.promise, 'it waits')
  abort.abort(new Error('never mind'))
  await assert.rejects(waiting, /never mind/)
  assert.equal(await thread.call('given', []), 1)
  await assert.rejects(thread.call('add', [1, 1], abort.signal), /never mind/)
})

test('one question may have a thread of its own', async () => {
  assert.equal(await askThread<SampleCalls, 'add'>(SAMPLE, 'add', [2, 2]), 4)
  await assert.rejects(askThread<SampleCalls, 'refuse'>(SAMPLE, 'refuse', []), { status: 400 })
})

test('memory that is handed over goes there and back without being copied', async (t) => {
  const thread = sample(t)
  const { buffer } = Uint8Array.of(1, 2, 3)
  const turned = await thread.call('turnedRound', [handOver({ buffer }, buffer)])
  assert.deepEqual([...new Uint8Array(turned.buffer)], [3, 2, 1])
  assert.equal(buffer.byteLength, 0, 'nothing is left here')
  assert.equal(await thread.call('left', []), 0, 'nor there')
})
