import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createPace } from './pace.ts'

function paceAt(rate: number, lead: number) {
  let now = 5000
  const pace = createPace(rate, { sound_s: lead / rate, silence_s: 0, start_s: 0 }, () => now)
  const pass = (ms: number) => {
    now += ms
  }
  return { pace, pass }
}

test('as much is wanted as time has passed, and the lead', () => {
  const { pace, pass } = paceAt(1000, 200)
  assert.equal(pace.wanted(true), 200)
  pace.wrote(200)
  assert.equal(pace.heard(), 0)
  pass(50)
  assert.deepEqual([pace.wanted(true), pace.heard()], [50, 50])
})

test('a late timer is made up for', () => {
  const { pace, pass } = paceAt(1000, 0)
  pass(900)
  assert.equal(pace.wanted(true), 900)
})

test('a machine that slept does not play what it missed', () => {
  const { pace, pass } = paceAt(1000, 0)
  pass(3_600_000)
  assert.equal(pace.wanted(true), 1000)
  pace.wrote(1000)
  pass(20)
  assert.equal(pace.wanted(true), 20)
})

test('time without sound is neither heard nor made up for', () => {
  const { pace, pass } = paceAt(1000, 0)
  pass(500)
  pace.wrote(pace.wanted(true))
  pass(400)
  assert.equal(pace.heard(), 500)
  pace.resumeClock()
  assert.equal(pace.wanted(true), 0)
  pass(10)
  assert.equal(pace.wanted(true), 10)
})
