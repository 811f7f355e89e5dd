import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Refused, Unreachable } from './api.ts'
import { createKeepAsking } from './keep-asking.ts'

/** Answers in turn, and timers that the test turns. */
function fixture(...answers: (Error | 'fine')[]) {
  const pauses: [ms: number, then: () => void][] = []
  const told: string[] = []
  const keepAsking = createKeepAsking((ms, then) => {
    pauses.push([ms, then])
    return () => pauses.splice(0)
  })
  const callOff = keepAsking(
    async () => {
      const answer = answers.shift()
      if (answer instanceof Error) throw answer
      told.push('answered')
    },
    () => told.push('refused'),
  )
  const settle = () => new Promise(setImmediate)
  return {
    told,
    callOff,
    pauses,
    settle,
    async wait() {
      const [ms, then] = pauses.shift() ?? assert.fail('asks no more')
      then()
      await settle()
      return ms
    },
  }
}

test('an answer that is lost is asked for again, later each time', async () => {
  const lost = new Unreachable('lost')
  const { settle, wait, told, pauses } = fixture(lost, new Refused(503, 'starts'), lost, 'fine')
  await settle()
  assert.deepEqual([await wait(), await wait(), await wait()], [1_000, 2_000, 4_000])
  assert.deepEqual([told, pauses], [['answered'], []])
})

test('what the box refuses is not asked for again', async () => {
  const { settle, told, pauses } = fixture(new Refused(404, 'reciter Husary not found'))
  await settle()
  assert.deepEqual([told, pauses], [['refused'], []])
})

test('who has left asks no more', async () => {
  const early = fixture(new Unreachable('lost'))
  early.callOff()
  await early.settle()
  assert.deepEqual(early.pauses, [])
  const late = fixture(new Unreachable('lost'))
  await late.settle()
  late.callOff()
  assert.deepEqual(late.pauses, [])
})
