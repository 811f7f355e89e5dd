import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { ReaderEvent } from '../../ports/nfc-reader.ts'
import { createManualClock } from '../../testing/manual-clock.ts'
import { watchReader } from './watch-reader.ts'

async function setup({ hasCards = false } = {}) {
  let report: (event: ReaderEvent) => void = () => {}
  const told: (string | undefined)[] = []
  const done = async () => {}
  await watchReader({
    clock: createManualClock(),
    log: { info() {}, warn() {} },
    reader: {
      status: () => ({ adapter: 'none', present: false, name: '' }),
      async start(listener) {
        report = listener
      },
      stop: done,
    },
    taps: { tap: done, lift: done, adhanOver: done, changed() {} },
    hasCards: () => hasCards,
    reportProblem: (problem) => told.push(problem),
    onReader() {},
    onAdhanOver: () => () => {},
  }).start()
  return { told, report: (event: ReaderEvent) => report(event) }
}

const NONE: ReaderEvent = { type: 'lost', reason: 'there is none', isAbsent: true }
const MISSED = 'there is none; cards cannot be tapped until a reader answers'

test('a box that never had a reader misses none', async () => {
  const { report, told } = await setup()
  report(NONE)
  assert.deepEqual(told, [undefined])
  report({ type: 'lost', reason: 'it does not answer' })
  assert.match(told[1] ?? '', /^it does not answer; cards cannot be tapped/)
})

test('one that had a reader, or has cards for it, does', async () => {
  const before = await setup()
  before.report({ type: 'ready' })
  before.report(NONE)
  assert.deepEqual(before.told, [undefined, MISSED])
  const registered = await setup({ hasCards: true })
  registered.report(NONE)
  assert.deepEqual(registered.told, [MISSED])
})
