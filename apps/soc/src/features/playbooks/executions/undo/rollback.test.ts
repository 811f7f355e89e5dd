import assert from 'node:assert/strict'
import { test } from 'node:test'
import { cancelAsBegins, playbookRuns, statuses } from '../../../../testing/playbook-runs.ts'
import { startTestSoc } from '../../../../testing/test-soc.ts'
import { until } from '../../../../testing/until.ts'
import { startWebhookServer, WEBHOOKS_ALLOWED } from '../../../../testing/webhook-server.ts'

const UNKNOWN = '00000000-0000-7000-8000-000000000000'
const open = { id: 'open', action: 'create_case', params: { title: 'one', reuse: false } }

test('what a rollback may take back', async (t) => {
  const soc = await startTestSoc(t)
  const { call, write, run, over } = playbookRuns(soc, await soc.signIn())
  const responder = await soc.signInAs('responder')
  const rollBack = (id: string, as?: string) =>
    call('POST', `/soar/executions/${id}/rollback`, undefined, as)
  const addEvidence = (caseId: unknown) =>
    call('POST', `/cases/${caseId}/evidence`, {
      ...{ name: 'disk.img', evidence_type: 'file', sha256: 'a'.repeat(64) },
    })

  await t.test('a case goes only by who may delete cases', async () => {
    const done = await run(await write({ steps: [open] }))
    const refused = await rollBack(done.id, responder)
    assert.deepEqual([refused.status, refused.body.detail], [403, 'requires cases:delete'])
    assert.equal((await call('GET', `/cases/${done.case_id}`)).status, 200)
    assert.equal((await over(done.id)).rollback, 'none')
    assert.equal((await rollBack(done.id)).status, 200)
    assert.equal((await over(done.id)).rollback, 'completed')
    assert.equal((await call('GET', `/cases/${done.case_id}`)).status, 404)
  })

  await t.test('what leaves the case alone is for whoever executes playbooks', async () => {
    const { id: case_id } = (await call('POST', '/cases', { title: 'mine', severity: 'low' })).body
    const reused = { ...open, params: { title: 'taken' } }
    const task = { id: 'task', action: 'add_task', params: { case_id, title: 't' } }
    const kept = { ...open, id: 'kept', undo: 'none' }
    const done = await run(await write({ steps: [reused, task, kept] }), { case_id })
    assert.equal((await rollBack(done.id, responder)).status, 200)
    assert.deepEqual(statuses(await over(done.id)), ['completed', 'undone', 'completed'])
  })

  await t.test('a case with evidence stays, and the step says what to do', async () => {
    const done = await run(await write({ steps: [open] }))
    await addEvidence(done.case_id)
    assert.equal((await rollBack(done.id)).status, 200)
    const back = await over(done.id)
    assert.deepEqual([back.rollback, statuses(back)], ['failed', ['undo_failed']])
    assert.equal(
      back.steps[0]?.error,
      `case ${done.case_id} has evidence: delete the case itself if it must go`,
    )
    assert.equal((await call('GET', `/cases/${done.case_id}`)).body.evidence.length, 1)
  })

  await t.test('evidence of a case that was merged into it counts too', async () => {
    const done = await run(await write({ steps: [open] }))
    const { id } = (await call('POST', '/cases', { title: 'other', severity: 'low' })).body
    await addEvidence(id)
    const merged = await call('POST', `/cases/${done.case_id}/merge`, { case_ids: [id] })
    assert.equal(merged.status, 200)
    await rollBack(done.id)
    assert.deepEqual(statuses(await over(done.id)), ['undo_failed'])
  })

  await t.test('by itself an execution takes back the case it made, whoever began it', async () => {
    const params = { case_id: UNKNOWN, body: 'x' }
    const bad = { id: 'bad', action: 'add_comment', on_failure: 'rollback', params }
    const { id } = await write({ steps: [open, bad] })
    const begun = await call('POST', `/soar/playbooks/${id}/execute`, {}, responder)
    const back = await over(begun.body.execution_id)
    assert.deepEqual(statuses(back), ['undone', 'failed'])
    assert.equal((await call('GET', `/cases/${back.case_id}`)).status, 404)
  })

  await t.test('an indicator stays blocked while another execution blocks it', async () => {
    const playbook = await write({
      steps: [{ id: 'block', action: 'block_indicator', params: { value: '198.51.100.7' } }],
    })
    const first = await run(playbook)
    const second = await run(playbook)
    const isRevoked = async () =>
      (await call('GET', '/iocs?value=198.51.100.7')).body.items[0].revoked
    await rollBack(second.id, responder)
    assert.equal((await over(second.id)).rollback, 'completed')
    assert.equal(await isRevoked(), false)
    await rollBack(first.id, responder)
    assert.equal((await over(first.id)).rollback, 'completed')
    assert.equal(await isRevoked(), true)
  })

  await t.test('what others wrote is no template on the way back either', async () => {
    const { id: case_id } = (await call('POST', '/cases', { title: 'web', severity: 'low' })).body
    const text = 'tried {{7*7}} and {{ execution.id }}'
    await call('PATCH', `/cases/${case_id}`, { description: text })
    const about = { case_id: '{{ case.id }}' }
    const playbook = await write({
      parameters: { text: { type: 'string', required: true } },
      steps: [
        { id: 'say', action: 'add_comment', params: { ...about, body: '{{ params.text }}' } },
        { id: 'set', action: 'update_case', params: { ...about, description: 'short' } },
      ],
    })
    const done = await run(playbook, { case_id, parameters: { text } })
    assert.equal(done.status, 'completed', JSON.stringify(done))
    await rollBack(done.id)
    assert.deepEqual(statuses(await over(done.id)), ['undone', 'undone'])
    const after = (await call('GET', `/cases/${case_id}`)).body
    assert.equal(after.description, text)
    const said = after.comments.map(({ body }: { body: string }) => body)
    assert.deepEqual(new Set(said), new Set([text, `Rolled back: ${text}`]))
  })
})

test('a cancel that comes as a step fails does not break off what is taken back', async (t) => {
  let answer = () => {}
  const hook = await startWebhookServer(t, (reply, { body }) => {
    answer = () => reply.end('{}')
    if (body !== 'undo') answer()
  })
  const soc = await startTestSoc(t, { response: WEBHOOKS_ALLOWED })
  const { call, write, start, reaches, over } = playbookRuns(soc, await soc.signIn())
  const post = (body: string) => ({ action: 'http_webhook', params: { url: hook.url, body } })
  const id = await start(
    await write({
      steps: [
        { id: 'call', ...post('do'), undo: post('undo') },
        { id: 'wait', action: 'wait', params: { seconds: 3_600 } },
        {
          ...{ id: 'task', action: 'add_task', params: { case_id: UNKNOWN, title: 't' } },
          on_failure: 'rollback',
        },
      ],
    }),
  )
  await reaches(id, ({ steps }) => steps[1]?.status === 'waiting')
  await cancelAsBegins(soc, { call }, id, 2)
  await until('it is taken back', () => hook.received.some(({ body }) => body === 'undo'))
  // The process has looked whether the execution is still its own, and acted upon that.
  const LEASE = 'SELECT lease_until::text AS until FROM executions WHERE id = $1'
  const lease = async () =>
    String((await soc.query<{ until: string | null }>(LEASE, [id]))[0]?.until)
  for (const look of ['once', 'twice']) {
    const before = await lease()
    await until(
      `it has looked ${look}`,
      async () => (await lease()) !== before || before === 'null',
    )
  }
  answer()
  const ended = await over(id)
  assert.deepEqual([ended.status, ended.rollback], ['failed', 'completed'])
  assert.deepEqual(statuses(ended), ['undone', 'completed', 'failed'])
})
