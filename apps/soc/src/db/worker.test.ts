import assert from 'node:assert/strict'
import { test } from 'node:test'
import { unavailable } from '@manara/kit/errors'
import { silentLog } from '../testing/test-postgres.ts'
import { until } from '../testing/until.ts'
import { createWorker } from './worker.ts'

for (const isBack of [false, true]) {
  test(`all that is left is done ${isBack ? 'also while it stands back' : 'at once'}`, async (t) => {
    let left = 3
    const done = Promise.withResolvers<void>()
    const worker = createWorker({
      async pass() {
        left -= 1
        if (left === 0) done.resolve()
        return left > 0
      },
      isReady: () => true,
      standsBack: () => isBack,
      pollMs: 60_000,
      gapMs: 0,
      log: silentLog,
    })
    t.after(worker.stop)
    worker.start()
    worker.wake()
    // The rests keep no process alive by themselves.
    const alive = setInterval(() => {}, 1_000)
    await done.promise
    clearInterval(alive)
    assert.equal(left, 0)
  })
}

test('how long it rests may depend on what the pass found', async (t) => {
  const askedAfter: number[] = []
  const twice = Promise.withResolvers<void>()
  let passes = 0
  const worker = createWorker({
    async pass() {
      passes += 1
      if (passes === 2) twice.resolve()
      return false
    },
    isReady: () => true,
    pollMs: 60_000,
    gapMs() {
      askedAfter.push(passes)
      return 0
    },
    log: silentLog,
  })
  t.after(worker.stop)
  const alive = setInterval(() => {}, 1_000)
  worker.start()
  worker.wake()
  worker.wake()
  await twice.promise
  clearInterval(alive)
  assert.deepEqual(askedAfter, [1])
})

test('what fails since the database is away is no failure of the work, however it is told', async (t) => {
  const lost = Object.assign(new Error('connect'), { code: 'ECONNREFUSED' })
  const failures = [lost, unavailable('the database is unavailable', lost), new Error('a bug')]
  const told: unknown[] = []
  const error = ({ err }: { err: unknown }) => void told.push(err)
  const worker = createWorker({
    async pass() {
      throw failures[passes++] ?? lost
    },
    isReady: () => true,
    pollMs: 1,
    gapMs: 0,
    log: Object.assign(Object.create(silentLog), { error }),
  })
  let passes = 0
  t.after(worker.stop)
  worker.start()
  await until('all have failed', () => passes >= failures.length && told.length > 0)
  assert.equal(told[0], failures[2])
})
