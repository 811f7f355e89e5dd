import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { storedLog } from '../../testing/stored-log.ts'
import { beginLines, laidTogether, linesOf, logsIn } from './log-lines.ts'

test('events read from lines are those that were written, whatever letters they have', () => {
  const text = fc.string({ unit: fc.constantFrom(...'ab\n\r"\\\u0000É漢😀\ud800') })
  const log = fc.record({ message: text, user: fc.option(text) }).map((some) => storedLog(some))
  fc.assert(
    fc.property(fc.array(log), fc.array(log), (some, more) => {
      const lines = laidTogether([linesOf(some), linesOf(more)])
      assert.deepEqual([...logsIn(lines)], [...some, ...more])
    }),
  )
})

test('events larger than the memory that is kept, and lines that were given up, do no harm', () => {
  const large = storedLog({ message: '漢'.repeat(3_000_000) })
  const small = storedLog({ message: 'a' })
  beginLines().add(large)
  assert.deepEqual([...logsIn(linesOf([small, large, small]))], [small, large, small])
  assert.deepEqual([...logsIn(linesOf([small]))], [small])
})
