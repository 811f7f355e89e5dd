import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { ChatPreview } from '@manara/soc-contract/chat'
import type { Proposal } from '@manara/soc-contract/proposals'
import { eventsOf } from '../../../testing/ask-chat.ts'
import { readEvents } from '../../../testing/event-reader.ts'
import { playbookRuns } from '../../../testing/playbook-runs.ts'
import { startTestSoc } from '../../../testing/test-soc.ts'
import { until } from '../../../testing/until.ts'

const TITLE = 'Insider Bob'

test('what rests on a private case is shown, also as an approval, to those who may read it', async (t) => {
  const soc = await startTestSoc(t, { hasAgents: true })
  const admin = await soc.signIn()
  await soc.query(`UPDATE agents SET enabled = id = 'agent-016'`)
  const kim = await soc.signInAs('manager', 'kim')
  const mia = await soc.signInAs('manager', 'mia')
  const aud = await soc.signInAs('auditor', 'aud')
  await soc.query(`UPDATE account_changes SET changed_at = changed_at - interval '80 hours'`)
  const { call, write } = playbookRuns(soc, admin)
  const open = async (access?: object): Promise<string> =>
    (await call('POST', '/cases', { title: TITLE, access }, kim)).body.id
  const hidden = await open({ mode: 'private', users: ['admin'] })
  const address = await soc.http.listen({ host: '127.0.0.1', port: 0 })
  const heard = { kim: await readEvents(t, address, kim), mia: await readEvents(t, address, mia) }

  async function preview(message: string, case_id: string): Promise<ChatPreview> {
    const body = { message, looking_at: { case_id } }
    const reply = await soc.call('POST', '/chat/stream', { as: kim, body })
    const found = eventsOf(reply.body).find(({ event }) => event === 'preview')
    return found?.data as unknown as ChatPreview
  }
  const read = async (id: string): Promise<Proposal> =>
    (await call('GET', `/agents/proposals/${id}`)).body
  async function gated(body: ChatPreview) {
    const made = await call('POST', '/agents/proposals', body, kim)
    assert.equal(made.status, 201, JSON.stringify(made.body))
    const { id } = made.body
    await until('the gate let it through', async () => (await read(id)).approval_id !== null)
    return read(id)
  }
  const statusOf = async (path: string, as: string) =>
    (await call('GET', path, undefined, as)).status
  const decide = (approval: string | null, as: string) =>
    call('POST', `/approvals/${approval}/decide`, { approved: true, reason: TITLE }, as)
  const says = async (path: string, as: string) =>
    JSON.stringify((await call('GET', path, undefined, as)).body).includes(TITLE)

  await t.test('the chat does not carry its title into what is everybody’s', async () => {
    const { action, rationale, cites } = await preview('block 203.0.113.98', hidden)
    assert.ok(!JSON.stringify(action).includes(TITLE))
    assert.ok(!JSON.stringify(action).includes(hidden))
    assert.deepEqual(rationale, [`Asked for in the chat about case ${hidden}`])
    assert.deepEqual(cites.case_ids, [hidden])
  })

  await t.test('a case that is only cited', async () => {
    const offered = await preview('block 203.0.113.99', hidden)
    const body = { ...offered, title: `Block it: ${TITLE}`, rationale: [TITLE] }
    const { id, approval_id } = await gated(body)
    assert.equal(await statusOf(`/agents/proposals/${id}`, mia), 404)
    assert.equal(await statusOf(`/approvals/${approval_id}`, mia), 404)
    assert.equal(await says('/approvals?status=all&limit=200', mia), false)
    assert.equal(await says('/approvals?status=all&limit=200', kim), true)
    assert.equal((await decide(approval_id, mia)).status, 404)
    assert.equal(await says('/audit?limit=200', aud), false)

    const decided = await decide(approval_id, admin)
    assert.equal(decided.status, 200, JSON.stringify(decided.body))
    assert.equal((await read(id)).status, 'accepted')
    assert.equal(await says('/audit?limit=200', aud), false, 'nor the decision, with its reason')
    assert.equal(await says('/audit?limit=200', admin), true)
    assert.equal(await says('/iocs?limit=200', mia), false)
    const blocked = await call('GET', '/audit?action=ioc.block', undefined, aud)
    assert.equal(blocked.body.total, 1, 'what it did to what is everybody’s is told')
    const undone = await call('POST', `/agents/proposals/${id}/undo`, { reason: TITLE })
    assert.equal(undone.status, 200, JSON.stringify(undone.body))
    assert.equal(await says('/audit?limit=200', aud), false)
  })

  await t.test('one that is rejected', async () => {
    const offered = await preview('block 203.0.113.97', hidden)
    const { id } = await gated(offered)
    const rejected = await call('POST', `/agents/proposals/${id}/reject`, { reason: TITLE })
    assert.equal(rejected.status, 200, JSON.stringify(rejected.body))
    assert.equal(await says('/audit?limit=200', aud), false)
  })

  await t.test('a playbook, with its execution', async () => {
    const step = { id: 'w', action: 'wait', params: { seconds: 0.01 } }
    const parameters = { why: { type: 'string' } }
    const playbook = await write({ parameters, steps: [step] })
    const offered = await preview(`run playbook ${playbook.id}`, hidden)
    const action = { ...offered.action, case_id: null, parameters: { why: TITLE } }
    const { approval_id, result } = await gated({ ...offered, action } as ChatPreview)
    assert.equal(await statusOf(`/approvals/${approval_id}`, mia), 404)
    assert.equal(await statusOf(`/approvals/${approval_id}`, kim), 200)
    assert.equal(await statusOf(`/soar/executions/${result?.execution_id}`, mia), 404)
    assert.equal(await statusOf(`/soar/executions/${result?.execution_id}`, kim), 200)
    assert.equal(await says('/audit?limit=200', aud), false)
    assert.equal((await decide(approval_id, admin)).status, 200)
  })

  await t.test('a case that becomes private after its approval was asked for', async () => {
    const later = await open()
    const { approval_id } = await gated(await preview('block 203.0.113.96', later))
    assert.equal(await statusOf(`/approvals/${approval_id}`, mia), 200)
    await call('PATCH', `/cases/${later}`, { access: { mode: 'private' } }, kim)
    assert.equal(await statusOf(`/approvals/${approval_id}`, mia), 404)
    assert.equal((await decide(approval_id, mia)).status, 404)
    assert.equal((await decide(approval_id, admin)).status, 200)
  })

  await t.test('no listener heard of it who may not', async () => {
    const shown = await open()
    const { approval_id } = await gated(await preview('block 203.0.113.95', shown))
    const hears = (who: 'kim' | 'mia') =>
      heard[who].received.some(({ data }) => (data as { id: string }).id === approval_id)
    for (const who of ['kim', 'mia'] as const) {
      await until(`${who} heard what came last`, () => hears(who))
    }
    const told = (who: 'kim' | 'mia') =>
      JSON.stringify(heard[who].received.filter(({ event }) => /^(approval|proposal)/.test(event)))
    assert.ok(told('kim').includes(hidden))
    assert.ok(!told('mia').includes(hidden))
    assert.ok(!told('mia').includes(TITLE))
  })
})
