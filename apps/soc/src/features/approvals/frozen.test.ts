import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Approval } from '@manara/soc-contract/approvals'
import { playbookRuns } from '../../testing/playbook-runs.ts'
import { startTestSoc } from '../../testing/test-soc.ts'

const opens = (title: string, id = 'open') => ({
  id,
  action: 'create_case',
  params: { title, reuse: false },
})

const isolates = (endpoint: string) => ({ id: 'cut', action: 'edr_isolate', params: { endpoint } })

test('what was approved is what runs', async (t) => {
  const soc = await startTestSoc(t)
  // Alone: nobody else has to agree to the edits, which is the easiest case for an attacker.
  const { call, write, over, start, reaches } = playbookRuns(soc, await soc.signIn())
  const titles = async (): Promise<string[]> =>
    (await call('GET', '/cases?limit=200')).body.items.map(({ title }: { title: string }) => title)
  const readApproval = async (id: string): Promise<Approval> =>
    (await call('GET', `/approvals/${id}`)).body
  const approve = (id: string) => call('POST', `/approvals/${id}/decide`, { approved: true })

  await t.test('an approval shows steps, parameters and targets filled in', async () => {
    const playbook = await write({
      is_critical: true,
      parameters: { who: { type: 'string', required: true } },
      steps: [
        opens('for {{ params.who }} about {{ alert.title }}'),
        {
          id: 'note',
          action: 'add_comment',
          params: { case_id: '{{ steps.open.output.case_id }}', body: 'opened' },
        },
        isolates('{{ steps.open.output.host ?? alert.source }}'),
        opens("{{ execution.id ?? 'none' }}", 'again'),
        opens("{{ case.title ?? 'none' }}", 'last'),
      ],
    })
    const alert = (await call('POST', '/alerts', { title: '{{ params.who }}', source: 's' })).body
    const asked = await call('POST', `/soar/playbooks/${playbook.id}/execute`, {
      alert_id: alert.id,
      parameters: { who: 'kim' },
    })
    const { steps, playbook_version, parameters, sha256, targets } = await readApproval(
      asked.body.approval_id,
    )
    assert.equal(playbook_version, 1)
    assert.deepEqual(parameters, { who: 'kim' })
    assert.equal(steps[0]?.params.title, 'for kim about {{ params.who }}', 'filled in once')
    assert.equal(steps[1]?.params.case_id, '{{ steps.open.output.case_id }}')
    assert.match(sha256, /^[0-9a-f]{64}$/)
    // What stands in for a value that is found later may not be what runs.
    assert.equal(steps[2]?.params.endpoint, '{{ steps.open.output.host ?? alert.source }}')
    assert.deepEqual(targets, [])
    assert.equal(steps[3]?.params.title, "{{ execution.id ?? 'none' }}")
    assert.equal(steps[4]?.params.title, "{{ case.title ?? 'none' }}")
  })

  for (const [what, first, shown] of [
    ['asked for while harmful, harmless while it is looked at', 'harm', 'tidy'],
    ['asked for while harmless', 'tidy', 'harm'],
  ] as const) {
    await t.test(`a playbook edited and edited back is not approved: ${what}`, async () => {
      const before = (await titles()).length
      const playbook = await write({ is_critical: true, steps: [opens(first)] })
      const path = `/soar/playbooks/${playbook.id}`
      const { approval_id } = (await call('POST', `${path}/execute`, {})).body
      await call('PATCH', path, { steps: [opens(shown)] })
      assert.equal((await readApproval(approval_id)).steps[0]?.params.title, first)
      await approve(approval_id)
      assert.equal((await call('POST', `${path}/execute?approval_id=${approval_id}`)).status, 409)
      await call('PATCH', path, { steps: [opens('harm')] })
      const replayed = await call('POST', `${path}/execute?approval_id=${approval_id}`)
      assert.equal(replayed.status, 409, JSON.stringify(replayed.body))
      assert.equal((await titles()).length, before)
    })
  }

  await t.test('what the alert became since is not what was approved', async () => {
    const playbook = await write({
      is_critical: true,
      steps: [opens('{{ alert.severity }} on {{ alert.host }}')],
    })
    const alert = (
      await call('POST', '/alerts', { title: 'A', source: 's', host: 'lab-1', severity: 'low' })
    ).body
    const path = `/soar/playbooks/${playbook.id}/execute`
    const { approval_id } = (await call('POST', path, { alert_id: alert.id })).body
    await approve(approval_id)
    await soc.query(`UPDATE alerts SET host = 'dc-1', severity = 'critical' WHERE id = $1`, [
      alert.id,
    ])
    const { body } = await call('POST', `${path}?approval_id=${approval_id}`)
    assert.equal((await over(body.execution_id)).status, 'completed')
    assert.ok((await titles()).includes('low on lab-1'))
    assert.ok(!(await titles()).some((title) => title.includes('dc-1')))
  })

  await t.test('a step that asks shows what comes after it, and holds it to that', async () => {
    const playbook = await write({
      steps: [
        { id: 'ask', action: 'request_approval', params: { action: 'go on' } },
        opens('asked about {{ alert.host }}'),
        opens('{{ steps.ask.output.status }}, then {{ steps.open.status }}', 'again'),
        isolates('{{ steps.again.output.host ?? alert.host }}'),
      ],
    })
    const alert = (await call('POST', '/alerts', { title: 'B', source: 's', host: 'lab-2' })).body
    const id = await start(playbook, { alert_id: alert.id })
    const waiting = await reaches(id, ({ status }) => status === 'pending_approval')
    const approvalId = String(waiting.steps[0]?.output?.approval_id)
    const { steps, targets } = await readApproval(approvalId)
    assert.deepEqual(
      steps.map((step) => [step.id, step.params.title ?? step.params.endpoint]),
      [
        ['open', 'asked about lab-2'],
        ['again', '{{ steps.ask.output.status }}, then {{ steps.open.status }}'],
        ['cut', '{{ steps.again.output.host ?? alert.host }}'],
      ],
    )
    assert.deepEqual(targets, [])
    await soc.query(`UPDATE alerts SET host = 'dc-2' WHERE id = $1`, [alert.id])
    await approve(approvalId)
    await over(id)
    assert.ok((await titles()).includes('asked about lab-2'))
  })

  await t.test('not even the service can change what an approval is for', async () => {
    const playbook = await write({ is_critical: true, steps: [opens('x')] })
    const { approval_id } = (await call('POST', `/soar/playbooks/${playbook.id}/execute`, {})).body
    for (const column of ['steps', 'parameters', 'frozen', 'changes', 'targets']) {
      await assert.rejects(
        soc.query(`UPDATE approvals SET ${column} = '{"a": 1}' WHERE id = $1`, [approval_id]),
        /cannot be changed/,
        column,
      )
    }
  })

  await t.test('a proposal that names one endpoint and reaches another is withdrawn', async () => {
    const [row] = await soc.query<{ id: string }>(
      `INSERT INTO edr_endpoints (id, hostname, ips, status, labels, first_seen_at, last_seen_at)
       VALUES (gen_random_uuid(), 'dc-9', '{}', 'online', '{}', now(), now()) RETURNING id`,
    )
    const alert = (await call('POST', '/alerts', { title: 'C', source: 's' })).body
    const proposed = await call('POST', '/agents/proposals', {
      title: 'Isolate lab-9',
      rationale: ['it looks bad'],
      cites: { alert_ids: [alert.id] },
      action: {
        kind: 'endpoint_action',
        endpoint_id: row?.id,
        hostname: 'lab-9',
        command: 'isolate',
        reason: 'x',
      },
    })
    assert.equal(proposed.status, 201, JSON.stringify(proposed.body))
    const accepted = await call('POST', `/agents/proposals/${proposed.body.id}/accept`, {})
    assert.equal(accepted.status, 409)
    assert.match(accepted.body.detail, /is dc-9, not lab-9/)
  })
})
