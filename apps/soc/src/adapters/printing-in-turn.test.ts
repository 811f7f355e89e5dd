import assert from 'node:assert/strict'
import { test } from 'node:test'
import { printingInTurn } from './printing-in-turn.ts'

test('at most two PDFs are printed at once, more wait, and too many are 429', async () => {
  let [now, most] = [0, 0]
  const ends: (() => void)[] = []
  const printer = printingInTurn({
    async print() {
      now += 1
      most = Math.max(most, now)
      await new Promise<void>((resolve) => ends.push(resolve))
      now -= 1
      return Buffer.from('pdf')
    },
  })
  const all = Array.from({ length: 12 }, () => printer.print(''))
  await assert.rejects(printer.print(''), { status: 429 })
  for (let ended = 0; ended < 12; ended += 1) {
    while (ends.length === 0) await new Promise(setImmediate)
    ends.shift()?.()
  }
  await Promise.all(all)
  assert.equal(most, 2)
})
