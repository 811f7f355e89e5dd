import assert from 'node:assert/strict'
import { test } from 'node:test'
import { investigated } from '../../../testing/investigated.ts'
import { startTestSoc } from '../../../testing/test-soc.ts'
import { until } from '../../../testing/until.ts'

const UNKNOWN = '00000000-0000-7000-8000-000000000000'

test('an investigation of a private case is as of one that never was', async (t) => {
  const soc = await startTestSoc(t)
  const kim = await soc.signInAs('manager', 'kim')
  const eve = await soc.signInAs('analyst', 'eve')
  const other = await soc.signInAs('analyst', 'omar')
  const made = async (path: string, body: object) => {
    const reply = await soc.call('POST', path, { as: kim, body })
    assert.equal(reply.status, 201, JSON.stringify(reply.body))
    return reply.body.id as string
  }
  const alertId = await made('/alerts', { title: 'Alert', source: 's', host: 'PC-7' })
  const title = 'Insider'
  const id = await made('/cases', { title, alert_ids: [alertId], access: { mode: 'private' } })
  const investigate = (caseId: string, as: string) => investigated(soc, as, `case ${caseId}`)
  /** All that is told of it, but for what differs between any two. */
  const told = async (caseId: string, as: string) => {
    const { status, body } = await investigate(caseId, eve)
    const path = `/agents/investigations/${body.id}`
    const read = await soc.call('GET', path, { as })
    const list = (await soc.call('GET', '/agents/investigations', { as })).body
    const isListed = list.items.some((one: { id: string }) => one.id === body.id)
    const { verdict, confidence_reasons, anchor, looked_for, request, related_alerts } = read.body
    const found = [verdict, confidence_reasons, anchor, looked_for, request, related_alerts]
    const cancelled = await soc.call('DELETE', path, { as })
    const answers = [status, body.status, read.status, isListed, cancelled.status, found]
    return JSON.stringify(answers).toLowerCase().replaceAll(caseId.toLowerCase(), 'CASE')
  }

  await t.test('for her who asks, and for others who may not read it', async () => {
    const never = await told(UNKNOWN, eve)
    assert.match(never, /^\[200,"completed",200,true,409,\["nothing_found"/)
    assert.equal(await told(id, eve), never)
    assert.equal(await told(id.toUpperCase(), eve), never)
    assert.equal(await told(id, other), never)
  })

  await t.test('who may read it has its alert, which nobody else sees', async () => {
    const { status, body } = await investigate(id, kim)
    assert.deepEqual([status, body.anchor?.id], [200, alertId])
    const path = `/agents/investigations/${body.id}`
    assert.equal((await soc.call('GET', path, { as: eve })).status, 404)
  })

  await t.test('another process goes on in the view of her who asked', async () => {
    const { body } = await investigate(id, eve)
    await soc.query(
      `UPDATE investigations SET status = 'running', conclusion = NULL, owner = gen_random_uuid(),
       completed_at = NULL, lease_until = now() - interval '1 s' WHERE id = $1`,
      [body.id],
    )
    const next = await startTestSoc(t, { connection: soc.connection })
    const as = await next.signIn()
    const read = async () =>
      (await next.call('GET', `/agents/investigations/${body.id}`, { as })).body
    await until('it is taken up and ends', async () => (await read()).status !== 'running')
    const again = await read()
    assert.deepEqual([again.status, again.attempts, again.anchor], ['completed', 2, null])
  })
})
