import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setImmediate as turn } from 'node:timers/promises'
import { storedLog } from '../../testing/stored-log.ts'
import { batchOf, batchOfText, joined } from './log-batch.ts'

const logs = [storedLog({ id: 'b', received_at: 7 }), storedLog({ id: 'a', received_at: 5 })]

test('a batch is the same as events and as text', () => {
  const batch = batchOf(logs)
  const again = batchOfText(batch.text(), batch.size, batch.receivedAt)
  assert.deepEqual(again.logs(), logs)
  assert.deepEqual([again.size, again.receivedAt], [2, 5])
})

test('events of a text are made once for all who look at the same time', async () => {
  const batch = batchOfText(batchOf(logs).text(), 2, 5)
  const first = batch.logs()
  assert.equal(batch.logs(), first)
  await turn()
  await turn()
  assert.notEqual(batch.logs(), first)
  assert.deepEqual(batch.logs(), logs)
})

test('several are one batch, as events and as text', () => {
  const parts = [batchOf(logs), batchOfText(batchOf(logs).text(), 2, 5), batchOf([storedLog()])]
  const one = joined(parts)
  assert.deepEqual(JSON.parse(one.text()), one.logs())
  assert.deepEqual([one.size, one.receivedAt, one.logs().length], [5, 5, 5])
  assert.deepEqual([joined([]).text(), joined([]).logs()], ['[]', []])
})
