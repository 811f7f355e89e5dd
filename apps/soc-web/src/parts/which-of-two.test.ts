import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import { whichOfTwo } from './which-of-two.ts'

function inBerlin(t: TestContext) {
  const { TZ } = process.env
  process.env.TZ = 'Europe/Berlin'
  t.after(() => {
    if (TZ === undefined) delete process.env.TZ
    else process.env.TZ = TZ
  })
}

test('a time that comes twice when clocks are put back says which of both it is', (t) => {
  inBerlin(t)
  const at = (time: string) => whichOfTwo(new Date(`2026-10-${time}Z`))
  assert.deepEqual(
    ['24T23:59:59.999', '25T00:00:00.000', '25T00:30:00.000', '25T00:59:59.999'].map(at),
    ['', ' GMT+2', ' GMT+2', ' GMT+2'],
  )
  assert.deepEqual(
    ['25T01:00:00.000', '25T01:30:00.000', '25T01:59:59.999', '25T02:00:00.000'].map(at),
    [' GMT+1', ' GMT+1', ' GMT+1', ''],
  )
})

test('no other time does, also not in the spring', (t) => {
  inBerlin(t)
  for (const time of ['2026-03-29T00:30:00Z', '2026-03-29T01:30:00Z', '2026-07-01T12:00:00Z']) {
    assert.equal(whichOfTwo(new Date(time)), '')
  }
})
