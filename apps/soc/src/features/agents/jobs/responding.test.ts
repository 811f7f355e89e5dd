import assert from 'node:assert/strict'
import { test } from 'node:test'
import { agentSoc } from '../../../testing/agent-soc.ts'

test('EdrResponder proposes to isolate an attacked endpoint and says whom it hits; servers are scanned', async (t) => {
  const soc = await agentSoc(t, 'Triage', 'EdrResponder')
  await soc.raise({ severity: 'medium', host: 'ws-1' })
  await soc.raise({ severity: 'critical', host: 'unknown-1' })
  await soc.worked('Triage')
  await soc.worked('EdrResponder')
  await soc.saysNothing('EdrResponder')

  const workstation = await soc.endpoint('ws-1', { labels: ['finance'] })
  await soc.endpoint('dc-1', { labels: ['domain-controller'] })
  await soc.ingest({ host: 'ws-1', user: 'lina', message: 'here' })
  const alert = await soc.raise({ severity: 'critical', host: 'WS-1.corp.example' })
  await soc.raise({ severity: 'critical', host: 'dc-1' })
  await soc.worked('Triage')
  await soc.worked('EdrResponder')
  const proposals = await soc.proposals('EdrResponder')
  const of = (host: string) =>
    proposals.find(({ action }) => action.kind === 'endpoint_action' && action.hostname === host)
  const isolate = of('ws-1')
  assert.deepEqual(
    [isolate?.effect, isolate?.cites.alert_ids, isolate?.cites.endpoint_ids],
    ['acts', [alert], [workstation]],
  )
  assert.match(isolate?.rationale.join() ?? '', /these accounts were seen there: lina/)
  assert.equal(of('dc-1')?.title, 'Scan dc-1')
  const responder = await soc.signInAs('responder')
  const refused = await soc.call('POST', `/agents/proposals/${isolate?.id}/accept`, {})
  assert.equal(refused.status, 503, 'no EDR is connected: nothing is recorded as done')
  const noRight = await soc.http.inject({
    method: 'POST',
    url: `/api/v1/agents/proposals/${isolate?.id}/accept`,
    headers: { authorization: `Bearer ${responder}` },
    payload: {},
  })
  assert.deepEqual([noRight.statusCode, noRight.json().detail], [403, 'requires approvals:manage'])
})

test('PlaybookResponder begins harmless playbooks, proposes critical ones, and none that do not fit', async (t) => {
  const soc = await agentSoc(t, 'PlaybookResponder')
  const write = async (body: object) => {
    const reply = await soc.call('POST', '/soar/playbooks', body)
    assert.equal(reply.status, 201, JSON.stringify(reply.body))
  }
  await soc.query('UPDATE playbooks SET enabled = false')
  const comment = {
    id: 'note',
    action: 'add_task',
    params: { case_id: '{{ case.id }}', title: 'x' },
  }
  await write({ id: 'wipe', name: 'Ransomware notes', tags: ['ransomware'], steps: [comment] })
  await write({
    id: 'grave',
    name: 'Grave',
    tags: ['ransomware'],
    is_critical: true,
    steps: [comment],
  })
  await write({ id: 'phish', name: 'Phish', tags: ['phishing'], steps: [comment] })
  const open = async (techniques: string[]) => {
    const alert = await soc.raise({ mitre_techniques: techniques })
    const body = { title: 'c', severity: 'high', alert_ids: [alert] }
    return { alert, caseId: (await soc.call('POST', '/cases', body)).body.id as string }
  }
  await open(['T1003'])
  await soc.worked('PlaybookResponder')
  await soc.saysNothing('PlaybookResponder')
  const executions = async () => (await soc.call('GET', '/soar/executions')).body.items
  assert.deepEqual(await executions(), [])

  const { alert, caseId } = await open(['T1486'])
  await soc.worked('PlaybookResponder')
  const begun = await executions()
  assert.deepEqual(
    begun.map((one: Record<string, unknown>) => [one.playbook_id, one.requested_by, one.case_id]),
    [['wipe', 'agent:PlaybookResponder', caseId]],
  )
  const [proposal] = await soc.proposals('PlaybookResponder')
  assert.deepEqual(
    proposal?.action.kind === 'execute_playbook' && [
      proposal.action.playbook_id,
      proposal.action.alert_id,
    ],
    ['grave', alert],
  )
})

test('a proposed playbook waits for its own approval and runs when the proposal is accepted', async (t) => {
  const soc = await agentSoc(t, 'PlaybookResponder', 'ApprovalGate')
  await soc.query('UPDATE playbooks SET enabled = false')
  const steps = [{ id: 'open', action: 'create_case', params: { title: 'contained' } }]
  await soc.call('POST', '/soar/playbooks', {
    id: 'grave',
    name: 'Grave',
    tags: ['ransomware'],
    is_critical: true,
    steps,
  })
  const alert = await soc.raise({ mitre_techniques: ['T1490'] })
  await soc.call('POST', '/cases', { title: 'c', severity: 'critical', alert_ids: [alert] })
  await soc.worked('PlaybookResponder')
  await soc.worked('ApprovalGate')
  const [proposal] = await soc.proposals('PlaybookResponder')
  const executionOf = async (id: unknown) => (await soc.call('GET', `/soar/executions/${id}`)).body
  const waiting = await executionOf(proposal?.result?.execution_id)
  assert.deepEqual(
    [waiting.status, waiting.approval_id],
    ['pending_approval', proposal?.approval_id],
  )
  const done = await soc.accept(proposal?.id ?? '')
  assert.deepEqual([done.status, done.body.status], [200, 'accepted'])
  const { status } = await executionOf(waiting.id)
  assert.notEqual(status, 'pending_approval')
})

test('ApprovalGate does not fail for a proposal that went with the demonstration', async (t) => {
  const soc = await agentSoc(t, 'ApprovalGate')
  await soc.query(`INSERT INTO agent_jobs (id, agent_id, key, input, priority)
    SELECT gen_random_uuid(), id, 'proposal:gone',
      jsonb_build_object('proposal_id', gen_random_uuid()), 4 FROM agents WHERE enabled`)
  await soc.worked('ApprovalGate')
})

test('IdentityGuard: spraying, a guessed password, one account in two places; not a forgetful person', async (t) => {
  const soc = await agentSoc(t, 'IdentityGuard')
  const failed = (user: string, ip: string, ago: number) => ({
    source: 'sshd',
    host: 'ssh-1',
    message: `Failed password for ${user} from ${ip} port 4711 ssh2`,
    ago,
  })
  const entered = (user: string, ip: string, ago: number) => ({
    source: 'sshd',
    host: 'ssh-1',
    message: `Accepted password for ${user} from ${ip} port 4711 ssh2`,
    ago,
  })
  await soc.ingest(
    failed('lina', '10.0.0.5', 3),
    failed('lina', '10.0.0.5', 2.5),
    entered('lina', '10.0.0.5', 2),
    entered('lina', '10.0.0.9', 1),
  )
  await soc.ring('IdentityGuard')
  await soc.saysNothing('IdentityGuard')

  const spray = Array.from({ length: 10 }, (_, n) => failed(`user${n}`, '203.0.113.9', 3 - n * 0.1))
  const guesses = Array.from({ length: 6 }, (_, n) => failed('omar', '203.0.113.8', 3 - n * 0.1))
  await soc.ingest(
    ...spray,
    ...guesses,
    entered('omar', '203.0.113.8', 1),
    entered('noor', '203.0.113.50', 2),
    entered('noor', '198.51.100.50', 1),
  )
  await soc.ring('IdentityGuard')
  const found = await soc.findings('IdentityGuard')
  assert.deepEqual(found.map(({ data }) => data.kind).sort(), ['guessed', 'spray', 'two_places'])
  assert.ok(found.every(({ cites }) => cites.log_ids.length > 1))
  const proposals = await soc.proposals('IdentityGuard')
  assert.deepEqual(
    proposals.map(({ title }) => title),
    ['Disable the account omar'],
  )
  const done = await soc.accept(proposals[0]?.id ?? '')
  assert.equal(done.status, 200, JSON.stringify(done.body))
  const opened = (await soc.call('GET', `/cases/${done.body.result.case_id}`)).body
  assert.match(opened.tasks[0].title, /^Disable the account omar in the directory or on ssh-1$/)
})

test('Supervisor raises one alert when agents fall behind or fail, and none when all is well', async (t) => {
  const soc = await agentSoc(t, 'Supervisor', 'Triage')
  const alerts = async () =>
    (await soc.call('GET', '/alerts?source=platform')).body.items.map(
      ({ title }: { title: string }) => title,
    )
  await soc.ring('Supervisor')
  assert.deepEqual(await alerts(), [])
  await soc.call('PATCH', '/agents/Triage/scale', { instances: 1 })
  await soc.query(`UPDATE agents SET failing_since = now(), probe_at = now() + interval '1 hour'
    WHERE id = 'agent-001'`)
  await soc.query(`INSERT INTO agent_jobs (id, agent_id, key, input, priority)
    SELECT gen_random_uuid(), 'agent-001', n::text, '{}', 1 FROM generate_series(1, 120) AS n`)
  await soc.ring('Supervisor')
  await soc.ring('Supervisor')
  assert.deepEqual((await alerts()).sort(), [
    'Triage cannot keep up',
    'Triage fails again and again',
  ])
})
