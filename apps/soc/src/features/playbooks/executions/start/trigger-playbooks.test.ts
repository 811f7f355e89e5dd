import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Execution } from '@manara/soc-contract/playbooks'
import { playbookRuns } from '../../../../testing/playbook-runs.ts'
import { startTestSoc } from '../../../../testing/test-soc.ts'
import { until } from '../../../../testing/until.ts'

test('playbooks that alerts trigger', async (t) => {
  const soc = await startTestSoc(t)
  const other = await startTestSoc(t, { connection: soc.connection })
  const { call, write, over, reaches } = playbookRuns(soc, await soc.signIn())
  const raise = async (title: string, severity: string) =>
    (await call('POST', '/alerts', { title, severity, source: 'test' })).body.id as string
  const of = async (alertId: string): Promise<Execution[]> =>
    (await call('GET', `/soar/executions?alert_id=${alertId}`)).body.items
  const triggered = async (alertId: string): Promise<Execution> => {
    await until('an execution', async () => (await of(alertId)).length > 0)
    return (await of(alertId))[0] as Execution
  }
  const step = { id: 'open', action: 'create_case', params: { title: '{{ alert.title }}' } }
  const trigger = { on: 'alert.created', when: "alert.severity in ['high', 'critical']" }

  await t.test('a new alert that fits starts an enabled one, once for all processes', async () => {
    assert.ok(other)
    const { id } = await write({ trigger, steps: [step] })
    const low = await raise('Low', 'low')
    const high = await raise('High', 'high')
    const done = await over((await triggered(high)).id)
    assert.equal(done.status, 'completed')
    assert.equal(done.trigger, 'alert.created')
    assert.equal(done.requested_by, 'system')
    assert.equal((await call('GET', `/alerts/${high}`)).body.case_id, done.case_id)
    await raise('High', 'high')
    await call('POST', `/soar/playbooks/${id}/toggle`)
    const off = await raise('Off', 'high')
    await until('it was looked at', async () => {
      const [left] = await soc.query<{ count: string }>(
        `SELECT count(*) FROM outbox WHERE seq IS NULL
           OR seq > (SELECT seq FROM playbook_trigger_head)`,
      )
      return left?.count === '0'
    })
    await call('POST', `/soar/playbooks/${id}/toggle`)
    await triggered(await raise('Last', 'high'))
    assert.equal((await of(high)).length, 1)
    assert.deepEqual([(await of(low)).length, (await of(off)).length], [0, 0])
    await call('DELETE', `/soar/playbooks/${id}`)
  })

  await t.test('a critical one waits for an approval and then goes on by itself', async () => {
    const { id } = await write({ trigger, is_critical: true, steps: [step] })
    const waiting = await triggered(await raise('Grave', 'critical'))
    assert.equal(waiting.status, 'pending_approval')
    const decide = (approvalId: string | null, approved: boolean) =>
      call('POST', `/approvals/${approvalId}/decide`, { approved, reason: 'because' })
    assert.equal((await decide(waiting.approval_id, true)).status, 200)
    assert.equal((await over(waiting.id)).status, 'completed')
    const { body } = await call('GET', `/approvals/${waiting.approval_id}`)
    assert.equal(body.status, 'consumed')

    const refused = await triggered(await raise('No', 'critical'))
    await decide(refused.approval_id, false)
    const ended = await over(refused.id)
    assert.equal(ended.status, 'cancelled')
    assert.match(ended.error ?? '', /rejected by admin: because/)
    const late = await triggered(await raise('Late', 'critical'))
    await soc.query('UPDATE approvals SET expires_at = now() WHERE id = $1', [late.approval_id])
    assert.equal((await over(late.id)).status, 'timed_out')
    const left = await triggered(await raise('Left', 'critical'))
    await call('POST', `/soar/executions/${left.id}/cancel`)
    await reaches(left.id, ({ status }) => status === 'cancelled')
    const withdrawn = await call('GET', `/approvals/${left.approval_id}`)
    assert.equal(withdrawn.body.status, 'cancelled')
    const { run_count } = (await call('GET', `/soar/playbooks/${id}`)).body
    assert.equal(run_count, 1)
    await call('DELETE', `/soar/playbooks/${id}`)
  })

  await t.test('one that cannot be started keeps no other from its alerts', async () => {
    const broken = await write({ trigger, steps: [step] })
    const sound = await write({ trigger, steps: [step] })
    // As a version before could have stored it: nobody can read this condition.
    await soc.query(
      `UPDATE playbooks SET trigger = '{"on":"alert.created","when":"alert.severity in ("}' WHERE id = $1`,
      [broken.id],
    )
    for (const title of ['First', 'Second']) {
      const started = await triggered(await raise(title, 'high'))
      assert.equal((await over(started.id)).playbook_id, sound.id)
    }
    const { body } = await call('GET', '/audit?action=playbook.trigger_failed')
    assert.equal(body.items.length, 2)
    for (const { id } of [broken, sound]) await call('DELETE', `/soar/playbooks/${id}`)
  })

  await t.test('a trigger brings no parameters', async () => {
    const reply = await call('POST', '/soar/playbooks', {
      name: 'x',
      trigger,
      parameters: { host: { type: 'string', required: true } },
      steps: [step],
    })
    assert.equal(reply.status, 400)
    assert.match(reply.body.detail, /^parameters\.host\.default: /)
  })
})
