import assert from 'node:assert/strict'
import { test } from 'node:test'
import { countTry } from './count-try.ts'

test('a step that fails before it begins is tried a few times and then fails', () => {
  let step = { status: 'pending', attempts: 0 }
  let tries = 0
  for (let isTriedAgain = true; isTriedAgain; tries += 1) {
    assert.ok(tries < 10, 'it is tried for ever')
    const counted = countTry(step, { retries: 0, isRepeatable: true })
    step = { status: 'pending', attempts: counted.attempts }
    isTriedAgain = counted.isTriedAgain
  }
  assert.deepEqual([tries, step.attempts], [4, 4])
})

test('what began is tried as often as the step says', () => {
  const begun = (attempts: number, retries: number) =>
    countTry({ status: 'running', attempts }, { retries, isRepeatable: true })
  assert.deepEqual(begun(1, 0), { attempts: 1, isTriedAgain: false })
  assert.deepEqual(begun(1, 2), { attempts: 1, isTriedAgain: true })
  assert.deepEqual(begun(3, 2), { attempts: 3, isTriedAgain: false })
})

test('what may not be repeated is not, begun or not', () => {
  for (const status of ['pending', 'running']) {
    const { isTriedAgain } = countTry({ status, attempts: 0 }, { retries: 9, isRepeatable: false })
    assert.equal(isTriedAgain, false)
  }
})
