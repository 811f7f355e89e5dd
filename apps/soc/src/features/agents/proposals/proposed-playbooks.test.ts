import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Proposal } from '@manara/soc-contract/proposals'
import { agentSoc } from '../../../testing/agent-soc.ts'
import { openChanges } from '../../../testing/changes-of.ts'
import { readEvents } from '../../../testing/event-reader.ts'
import { playbookRuns } from '../../../testing/playbook-runs.ts'
import { startTestSoc } from '../../../testing/test-soc.ts'
import { until } from '../../../testing/until.ts'
import { storeProposal } from './store-proposal.ts'

const named = '{{ params.c }}'
const parameters = { c: { type: 'string' } }
const retitle = { id: 'u', action: 'update_case', params: { case_id: named, title: 'taken over' } }
const wait = { id: 'w', action: 'wait', params: { seconds: 0.01 } }

test('a playbook that was proposed is begun by nobody but the one who accepts it', async (t) => {
  const soc = await startTestSoc(t, { hasAgents: true })
  const admin = await soc.signIn()
  await soc.query(`UPDATE agents SET enabled = id = 'agent-016'`)
  const kim = await soc.signInAs('manager', 'kim')
  const mia = await soc.signInAs('manager', 'mia')
  const ana = await soc.signInAs('analyst', 'ana')
  await soc.query(`UPDATE account_changes SET changed_at = changed_at - interval '80 hours'`)
  const { call, write, over } = playbookRuns(soc, admin)
  const alert: string = (await call('POST', '/alerts', { title: 'A', source: 's' })).body.id
  const executions = async (playbook: string): Promise<{ id: string; status: string }[]> =>
    (await call('GET', `/soar/executions?playbook_id=${playbook}`)).body.items
  const propose = async (playbook_id: string, as: string, given: object = {}) => {
    const action = {
      ...{ kind: 'execute_playbook', playbook_id, parameters: given },
      ...{ alert_id: null, case_id: null },
    }
    const body = { title: 'Run it', action, cites: { alert_ids: [alert] } }
    const reply = await call('POST', '/agents/proposals', body, as)
    assert.equal(reply.status, 201, JSON.stringify(reply.body))
    return reply.body.id as string
  }
  const read = async (id: string): Promise<Proposal> =>
    (await call('GET', `/agents/proposals/${id}`)).body
  const gated = async (id: string) => {
    const isLooked = ({ approval_id, result, status }: Proposal) =>
      approval_id !== null || result !== null || status !== 'open'
    await until('the gate looked at it', async () => isLooked(await read(id)))
    return read(id)
  }
  const decide = (id: string, verb: string, as: string, body: object = {}) =>
    call('POST', `/agents/proposals/${id}/${verb}`, body, as)

  for (const is_critical of [false, true]) {
    await t.test(`${is_critical ? 'a critical' : 'any other'} one`, async () => {
      const playbook = await write({ is_critical, steps: [wait] })
      const id = await propose(playbook.id, kim)
      const { approval_id } = await gated(id)
      const statuses = async () => (await executions(playbook.id)).map(({ status }) => status)
      assert.deepEqual(await statuses(), ['pending_approval'])
      const approval = (await call('GET', `/approvals/${approval_id}`)).body
      assert.deepEqual([approval.kind, approval.requested_by], ['playbook', 'kim'])

      const own = await decide(id, 'accept', kim)
      assert.deepEqual([own.status, (await read(id)).status], [403, 'open'], 'who proposes')
      const other = await call('POST', `/approvals/${approval_id}/decide`, { approved: true }, kim)
      assert.equal(other.status, 403, 'on neither way')
      assert.equal((await decide(id, 'accept', ana)).status, 403)
      const done = await decide(id, 'accept', mia)
      assert.deepEqual([done.status, done.body.status], [200, 'accepted'], JSON.stringify(done))
      const [begun, ...more] = await executions(playbook.id)
      assert.deepEqual(more, [])
      assert.equal((await over(begun?.id ?? '')).status, 'completed')
      assert.equal((await decide(id, 'accept', mia)).status, 409)
    })
  }

  await t.test('one that is accepted before the gate has looked at it', async () => {
    await call('POST', '/agents/pause', { reason: 'a test' })
    const playbook = await write({ is_critical: true, steps: [wait] })
    const id = await propose(playbook.id, kim)
    assert.equal((await decide(id, 'accept', kim)).status, 403)
    assert.deepEqual(await executions(playbook.id), [])
    const done = await decide(id, 'accept', mia)
    assert.deepEqual([done.status, done.body.status], [200, 'accepted'], JSON.stringify(done))
    const [begun, ...more] = await executions(playbook.id)
    assert.deepEqual(more, [])
    assert.equal((await over(begun?.id ?? '')).status, 'completed')
    await call('POST', '/agents/resume')
  })

  await t.test('who proposed it and executes it too asks for an approval of its own', async () => {
    const playbook = await write({ is_critical: true, steps: [wait] })
    const { approval_id: proposed } = await gated(await propose(playbook.id, kim))
    const execute = (query = '') =>
      call('POST', `/soar/playbooks/${playbook.id}/execute${query}`, {}, kim)
    const { approval_id } = (await execute()).body
    assert.notEqual(approval_id, proposed)
    assert.equal((await execute()).body.approval_id, approval_id)
    await call('POST', `/approvals/${approval_id}/decide`, { approved: true }, mia)
    const replayed = await execute(`?approval_id=${approval_id}`)
    assert.equal(replayed.body.requires_approval, false, JSON.stringify(replayed))
  })

  await t.test('one that was replaced is not begun by who has not heard of that', async (t) => {
    const { internalWorkflow } = await openChanges(t, soc.connection)
    const playbook = await write({ is_critical: true, parameters, steps: [wait] })
    const store = (c: string) =>
      internalWorkflow((change) =>
        storeProposal(
          change,
          { agentId: 'agent-007', runId: null },
          {
            key: `run ${playbook.id}`,
            title: 'Run it',
            rationale: [],
            action: {
              ...{ kind: 'execute_playbook', playbook_id: playbook.id, parameters: { c } },
              ...{ alert_id: alert, case_id: null },
            },
            cites: { alert_ids: [alert] },
          },
        ),
      )
    const older = await gated((await store('one'))?.id ?? '')
    await call('POST', '/agents/pause', { reason: 'a test' })
    await store('two')
    const verdict = { approved: true }
    const late = await call('POST', `/approvals/${older.approval_id}/decide`, verdict, mia)
    assert.equal(late.status, 409, JSON.stringify(late.body))
    assert.match(late.body.detail, /was withdrawn: replaced by a newer one; nothing was done/)
    assert.deepEqual(
      (await executions(playbook.id)).map(({ status }) => status),
      ['pending_approval'],
    )
    await call('POST', '/agents/resume')
    const ended = await over(String(older.result?.execution_id))
    assert.equal(ended.status, 'cancelled')
    const { status } = (await call('GET', `/approvals/${older.approval_id}`)).body
    assert.equal(status, 'cancelled')
  })

  await t.test('who proposed it takes it back', async () => {
    const playbook = await write({ steps: [wait] })
    const id = await propose(playbook.id, ana)
    const { approval_id } = await gated(id)
    const reply = await decide(id, 'reject', ana, { reason: 'not needed' })
    assert.equal(reply.status, 200, JSON.stringify(reply.body))
    const [execution] = await executions(playbook.id)
    assert.equal(execution?.status, 'cancelled')
    assert.equal((await call('GET', `/approvals/${approval_id}`)).body.status, 'cancelled')
  })

  await t.test('it sees the cases that whoever proposed it may read', async () => {
    const access = { mode: 'private' }
    const body = { title: 'Insider', access }
    const hidden: string = (await call('POST', '/cases', body, kim)).body.id
    const playbook = await write({ parameters, steps: [retitle] })
    const id = await propose(playbook.id, ana, { c: hidden })
    await gated(id)
    assert.equal((await decide(id, 'accept', kim)).status, 200)
    const [begun] = await executions(playbook.id)
    const done = await over(begun?.id ?? '')
    assert.deepEqual([done.status, done.steps[0]?.error], ['failed', `case ${hidden} not found`])
    assert.equal((await call('GET', `/cases/${hidden}`, undefined, kim)).body.title, 'Insider')
  })

  await t.test('whoever may not read a case that it names is not told of it', async (t) => {
    const address = await soc.http.listen({ host: '127.0.0.1', port: 0 })
    const heard = { kim: await readEvents(t, address, kim), mia: await readEvents(t, address, mia) }
    const body = { title: 'Insider', access: { mode: 'private' } }
    const hidden: string = (await call('POST', '/cases', body, kim)).body.id
    const playbook = await write({ parameters, steps: [retitle] })
    const id = await propose(playbook.id, kim, { c: hidden })
    await gated(id)
    const last = await propose((await write({ steps: [wait] })).id, kim)
    await gated(last)
    const of = (who: 'kim' | 'mia', proposal: string) =>
      heard[who].received.filter(
        ({ event, data }) =>
          event.startsWith('proposal.') && (data as { id: string }).id === proposal,
      )
    for (const who of ['kim', 'mia'] as const) {
      await until(`${who} heard the last`, () => of(who, last).length > 1)
    }
    assert.equal(of('kim', id).length, 2)
    assert.deepEqual(of('mia', id), [])
    assert.equal((await call('GET', `/agents/proposals/${id}`, undefined, mia)).status, 404)
  })
})

test('an agent begins no playbook that acts, critical or not', async (t) => {
  const soc = await agentSoc(t, 'PlaybookResponder', 'ApprovalGate')
  await soc.query(`UPDATE playbooks SET enabled = id = 'block-indicators'`)
  const alert = await soc.raise({ severity: 'critical', iocs: ['203.0.113.66'] })
  await soc.call('POST', '/cases', { title: 'c', severity: 'critical', alert_ids: [alert] })
  await soc.worked('PlaybookResponder')
  await soc.worked('ApprovalGate')
  const [proposal] = await soc.proposals('PlaybookResponder')
  assert.equal(proposal?.action.kind, 'execute_playbook')
  const { items } = (await soc.call('GET', '/soar/executions')).body
  assert.deepEqual(
    items.map(({ status, requested_by }: Record<string, string>) => [status, requested_by]),
    [['pending_approval', 'agent:PlaybookResponder']],
  )
  const blocked = () => soc.call('GET', '/iocs?value=203.0.113.66')
  assert.equal((await blocked()).body.total, 0, 'nothing is blocked before a person says so')
  assert.equal((await soc.accept(proposal?.id ?? '')).status, 200)
  await until('it is blocked', async () => (await blocked()).body.total === 1)
})
