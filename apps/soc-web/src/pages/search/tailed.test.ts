import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createTailed } from './tailed.ts'

type Line = { n: number }
const log = (n: number) => ['log', JSON.stringify({ n })] as const

test('what came while somebody read is counted, however much it was', () => {
  const tailed = createTailed<Line>()
  tailed.hear(...log(0))
  tailed.hold(true)
  for (let n = 1; n <= 700; n += 1) tailed.hear(...log(n))
  assert.deepEqual([tailed.shown.value, tailed.waits.value], [[{ n: 0 }], 700])
  tailed.hold(false)
  const [first, ...rest] = tailed.shown.value
  assert.deepEqual([first, rest.length, tailed.waits.value], [{ n: 700 }, 499, 0])
})

test('what the service left out, and what came while the tail was cut, is told', () => {
  const tailed = createTailed<Line>()
  tailed.hear('ready', '{}')
  assert.deepEqual([tailed.skipped.value, tailed.wasCut.value], [0, false])
  for (const count of [40, 2]) tailed.hear('skipped', JSON.stringify({ count }))
  tailed.hear('reset', '{}')
  assert.deepEqual([tailed.skipped.value, tailed.wasCut.value], [42, true])
})
