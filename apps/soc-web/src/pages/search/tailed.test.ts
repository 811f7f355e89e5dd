import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createTailed } from './tailed.ts'

type Line = { n: number }
const log = (n: number) => ['log', JSON.stringify({ n })] as const

test('what came while somebody read is counted, however much it was', () => {
  const tailed = createTailed<Line>((then) => then())
  tailed.hear(...log(0))
  tailed.hold(true)
  for (let n = 1; n <= 700; n += 1) tailed.hear(...log(n))
  assert.deepEqual([tailed.shown.value, tailed.waits.value], [[{ n: 0 }], 700])
  tailed.hold(false)
  const [first, ...rest] = tailed.shown.value
  assert.deepEqual([first, rest.length, tailed.waits.value], [{ n: 700 }, 499, 0])
})

test('what the service left out, and what came while the tail was cut, is told', () => {
  const tailed = createTailed<Line>((then) => then())
  tailed.hear('ready', '{}')
  assert.deepEqual([tailed.skipped.value, tailed.wasCut.value], [0, false])
  for (const count of [40, 2]) tailed.hear('skipped', JSON.stringify({ count }))
  tailed.hear('reset', '{}')
  assert.deepEqual([tailed.skipped.value, tailed.wasCut.value], [42, true])
})

test('what comes is shown together, and not while somebody has begun to read', () => {
  const due: (() => void)[] = []
  const tailed = createTailed<Line>((then) => void due.push(then))
  for (const n of [1, 2, 3]) tailed.hear(...log(n))
  assert.deepEqual([due.length, tailed.shown.value], [1, []])
  due.shift()?.()
  assert.deepEqual(tailed.shown.value, [{ n: 3 }, { n: 2 }, { n: 1 }])
  tailed.hear(...log(4))
  tailed.hold(true)
  due.shift()?.()
  tailed.hear(...log(5))
  assert.deepEqual([tailed.shown.value.length, tailed.waits.value], [3, 2])
  tailed.hold(false)
  assert.deepEqual([tailed.shown.value[0], tailed.waits.value], [{ n: 5 }, 0])
})
