import assert from 'node:assert/strict'
import { test } from 'node:test'
import { openDatabase } from '../../../db/database.ts'
import { silentLog } from '../../../testing/test-postgres.ts'
import { startTestSoc } from '../../../testing/test-soc.ts'
import { until } from '../../../testing/until.ts'
import { createAlertsByTechnique } from './alerts-by-technique.ts'

const MINUTE_MS = 60_000

test('alerts of 30 days are counted once for all who ask; new ones count at once', async (t) => {
  const soc = await startTestSoc(t)
  const as = await soc.signIn()
  const database = await openDatabase({ connection: soc.connection, log: silentLog })
  t.after(() => database.close())
  let time = 0
  const ask = createAlertsByTechnique(database.kysely, () => time)
  const asked = async () => (await ask()).get('T1110')

  let number = 0
  const post = async (age?: string) => {
    number += 1
    const body = { title: `Alert ${number}`, source: 'test', mitre_techniques: ['T1110'] }
    const alert = await soc.call('POST', '/alerts', { as, body })
    if (age === undefined) return
    const moved = `UPDATE alerts SET created_at = now() - $1::interval WHERE id = $2`
    await soc.query(moved, [age, alert.body.id])
  }
  for (const age of ['3 days', '29 days', '31 days']) await post(age)
  assert.equal(await asked(), 2)
  await post()
  assert.equal(await asked(), 3)

  // One that lies in what was counted shows that it is not counted again.
  await post('5 days')
  assert.equal(await asked(), 3)
  time += 11 * MINUTE_MS
  assert.equal(await asked(), 3, 'nobody waits for the new count')
  await until('it was counted anew', async () => (await asked()) === 4)
  await post('5 days')
  time += 61 * MINUTE_MS
  assert.equal(await asked(), 5, 'what is too old is not told')
})
