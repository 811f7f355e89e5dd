import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Approval } from '@manara/soc-contract/approvals'
import { readEvents } from '../../testing/event-reader.ts'
import { playbookRuns, statuses } from '../../testing/playbook-runs.ts'
import { startTestSoc } from '../../testing/test-soc.ts'
import { until } from '../../testing/until.ts'

const UNKNOWN = '00000000-0000-7000-8000-000000000000'

test('approvals of critical playbooks', async (t) => {
  const soc = await startTestSoc(t)
  const admin = await soc.signIn()
  const manager = await soc.signInAs('manager')
  const responder = await soc.signInAs('responder')
  const { call, write, over, reaches, start } = playbookRuns(soc, admin)
  const total = async (list: string) => (await call('GET', list)).body.total

  const critical = await write({
    name: 'Grave',
    is_critical: true,
    parameters: { who: { type: 'string', default: 'nobody' } },
    steps: [
      {
        id: 'open',
        action: 'create_case',
        params: { title: 'for {{ params.who }}', reuse: false },
      },
      { id: 'more', action: 'wait', params: { seconds: 0.01 } },
    ],
  })
  const path = `/soar/playbooks/${critical.id}/execute`
  const ask = async (body: object = {}): Promise<string> =>
    (await call('POST', path, body, responder)).body.approval_id
  const decide = (id: string, body: object, as = manager) =>
    call('POST', `/approvals/${id}/decide`, body, as)
  const replay = (id: string, body?: object, at = path) =>
    call('POST', `${at}?approval_id=${id}`, body, responder)

  await t.test('POST .../execute answers pending_approval and executes nothing', async () => {
    const { status, body } = await call('POST', path, {}, responder)
    assert.equal(status, 200)
    assert.deepEqual(Object.keys(body), [
      'playbook_id',
      'playbook_name',
      'status',
      'approval_id',
      'requires_approval',
      'steps_total',
      'message',
    ])
    assert.equal(body.status, 'pending_approval')
    assert.equal(body.playbook_name, 'Grave')
    assert.equal(body.requires_approval, true)
    assert.equal(body.steps_total, 2)
    assert.equal(await total('/soar/executions'), 0)
    const { items } = (await call('GET', '/approvals', undefined, manager)).body
    assert.equal(items[0].id, body.approval_id)
    assert.equal(items[0].requested_by, 'responder')
    const hours = Date.parse(items[0].expires_at) - Date.parse(items[0].created_at)
    assert.equal(hours, 4 * 3_600_000)
  })

  await t.test('asked again, also at once, it is the same request while that waits', async () => {
    const body = { parameters: { who: 'sam' } }
    const [id, ...more] = await Promise.all([ask(body), ask(body), ask(body)])
    assert.deepEqual(more, [id, id])
    assert.notEqual(await ask({ parameters: { who: 'pat' } }), id)
    const { approval_id: another } = (await call('POST', path, body, manager)).body
    assert.notEqual(another, id, 'of somebody else')
    await decide(id as string, { approved: false })
    assert.notEqual(await ask(body), id)
  })

  await t.test('an empty approval_id is 400 and asks for nothing', async () => {
    const before = await total('/approvals')
    const { status, body } = await call('POST', `${path}?approval_id=`, {}, responder)
    assert.deepEqual([status, body.detail], [400, 'approval_id: must not be empty'])
    assert.equal(await total('/approvals'), before)
  })

  await t.test('the handshake: decided, replayed, run once, consumed', async () => {
    const id = await ask({ parameters: { who: 'kim' } })
    assert.match((await replay(id)).body.detail, /not decided yet/)
    const decided = await decide(id, { approved: true, reason: 'go' })
    assert.equal(decided.status, 200)
    assert.equal(decided.body.status, 'approved')
    assert.equal(decided.body.decided_by, 'manager')
    assert.equal(decided.body.reason, 'go')
    assert.equal((await decide(id, { approved: false })).status, 409)

    const { status, body } = await replay(id, { parameters: { who: 'kim' } })
    assert.equal(status, 200, JSON.stringify(body))
    assert.equal(body.requires_approval, false)
    const done = await over(body.execution_id)
    assert.equal(done.status, 'completed')
    assert.equal(done.approval_id, id)
    const { body: used } = await call('GET', `/approvals/${id}`)
    assert.equal(used.status, 'consumed')
    assert.equal(used.execution_id, done.id)
    const again = await replay(id, { parameters: { who: 'kim' } })
    assert.equal(again.status, 409)
    assert.match(again.body.detail, /already consumed/)

    const audit = (await call('GET', `/audit?target=approval:${id}`)).body.items
    assert.deepEqual(
      audit.map(({ action, actor }: { action: string; actor: string }) => [action, actor]),
      [
        ['approval.consume', 'responder'],
        ['approval.approve', 'manager'],
        ['approval.request', 'responder'],
      ],
    )
  })

  await t.test('a call without a body repeats what was approved', async () => {
    const id = await ask({ parameters: { who: 'lee' } })
    await decide(id, { approved: true })
    const done = await over((await replay(id)).body.execution_id)
    assert.deepEqual(done.parameters, { who: 'lee' })
  })

  await t.test('rejected stays blocked', async () => {
    const id = await ask()
    await decide(id, { approved: false, reason: 'too early' })
    const { status, body } = await replay(id)
    assert.equal(status, 409)
    assert.match(body.detail, /rejected by manager: too early/)
  })

  await t.test('an approval is for the exact playbook, parameters, target and steps', async () => {
    const before = await total('/soar/executions')
    const other = await write({
      is_critical: true,
      steps: [{ id: 's', action: 'wait', params: { seconds: 1 } }],
    })
    const alert = (await call('POST', '/alerts', { title: 'T', source: 's' })).body.id
    const id = await ask({ parameters: { who: 'kim' } })
    await decide(id, { approved: true })
    for (const [body, at] of [
      [{ parameters: { who: 'eve' } }, path],
      [{ parameters: { who: 'kim' }, alert_id: alert }, path],
      [{}, `/soar/playbooks/${other.id}/execute`],
    ] as const) {
      const reply = await replay(id, body, at)
      assert.equal(reply.status, 409)
      assert.match(reply.body.detail, /another playbook, parameters or target/)
    }
    assert.equal(await total('/soar/executions'), before)
    assert.equal((await replay(id, { parameters: { who: 'kim' } })).status, 200)
    assert.equal((await replay(UNKNOWN)).status, 404)
    assert.equal((await replay('nonsense')).status, 404)
  })

  await t.test('an approval that expired can be neither decided nor used', async () => {
    const expire = (id: string) =>
      soc.query(`UPDATE approvals SET expires_at = now() - interval '1 s' WHERE id = $1`, [id])
    const undecided = await ask()
    await expire(undecided)
    assert.equal((await call('GET', `/approvals/${undecided}`)).body.status, 'timeout')
    assert.match((await decide(undecided, { approved: true })).body.detail, /expired at/)
    assert.match((await replay(undecided)).body.detail, /expired at/)
    await until('it is written down', async () => {
      const [row] = await soc.query<Approval>('SELECT * FROM approvals WHERE id = $1', [undecided])
      return row?.status === 'timeout'
    })
    const late = await ask()
    await decide(late, { approved: true })
    await expire(late)
    const { status, body } = await replay(late)
    assert.equal(status, 409)
    assert.match(body.detail, /expired at/)
  })

  await t.test(
    'who requests cannot decide, unless they are the only manager or admin',
    async () => {
      const own = (await call('POST', path, {}, manager)).body.approval_id
      const refused = await decide(own, { approved: true })
      assert.equal(refused.status, 403)
      assert.match(refused.body.detail, /ask another manager or admin/)
      assert.equal((await call('GET', `/approvals/${own}`)).body.requester_decides, false)
      assert.equal((await decide(own, { approved: true }, admin)).status, 200)
      for (const role of ['responder', 'analyst', 'viewer'] as const) {
        const as = await soc.signInAs(role)
        assert.equal((await call('GET', '/approvals', undefined, as)).status, 403)
        assert.equal((await decide(own, { approved: true }, as)).status, 403)
      }
      const alone = await startTestSoc(t)
      const runs = playbookRuns(alone, await alone.signIn())
      const asked = await runs.call('POST', '/soar/playbooks/isolate-host/execute', {
        parameters: { host: 'x' },
      })
      const mine = `/approvals/${asked.body.approval_id}`
      assert.equal((await runs.call('GET', mine)).body.requester_decides, true)
      assert.equal((await runs.call('POST', `${mine}/decide`, { approved: true })).status, 200)
    },
  )

  await t.test('GET /approvals lists the pending ones, or what is asked for', async () => {
    const id = await ask()
    await decide(id, { approved: false })
    const list = async (query: string): Promise<Approval[]> =>
      (await call('GET', `/approvals?limit=200${query}`)).body.items
    assert.ok((await list('')).every(({ status }) => status === 'pending'))
    assert.ok((await list('&status=rejected')).some((approval) => approval.id === id))
    assert.ok((await list('&status=all')).length > (await list('')).length)
    assert.equal((await call('GET', '/approvals?status=maybe')).status, 400)
    assert.equal((await call('GET', `/approvals/${UNKNOWN}`)).status, 404)
    assert.equal((await decide(UNKNOWN, { approved: true })).status, 404)
    assert.equal((await decide(id, { approved: 'yes' })).status, 400)
  })

  await t.test(
    'a request_approval step waits, goes on when approved and fails when not',
    async () => {
      const playbook = await write({
        steps: [
          { id: 'ask', action: 'request_approval', params: { action: 'wipe {{ execution.id }}' } },
          { id: 'after', action: 'create_case', params: { title: 'wiped' } },
        ],
      })
      const waiting = async () => {
        const id = await start(playbook)
        const { steps } = await reaches(id, ({ status }) => status === 'pending_approval')
        return { id, approval: String(steps[0]?.output?.approval_id) }
      }
      const yes = await waiting()
      assert.equal((await decide(yes.approval, { approved: true })).status, 200)
      const done = await over(yes.id)
      assert.equal(done.status, 'completed', JSON.stringify(done))
      assert.equal(done.steps[0]?.output?.decided_by, 'manager')
      assert.equal((await call('GET', `/approvals/${yes.approval}`)).body.status, 'consumed')
      assert.equal((await replay(yes.approval)).status, 409)

      const no = await waiting()
      await decide(no.approval, { approved: false, reason: 'keep it' })
      const refused = await over(no.id)
      assert.equal(refused.status, 'failed')
      assert.match(refused.error ?? '', /ask: rejected by manager: keep it/)
      assert.deepEqual(statuses(refused), ['failed', 'skipped'])

      const left = await waiting()
      await call('POST', `/soar/executions/${left.id}/cancel`)
      assert.equal((await call('GET', `/approvals/${left.approval}`)).body.status, 'cancelled')
      const late = await waiting()
      await soc.query(`UPDATE approvals SET expires_at = now() WHERE id = $1`, [late.approval])
      assert.equal((await over(late.id)).status, 'timed_out')

      // Approved, and then nobody was there to go on with it: a service that was down, say.
      const stale = await waiting()
      const held = `SELECT FROM executions WHERE id = '${stale.id}' FOR UPDATE`
      await soc.holding(held, async () => {
        assert.equal((await decide(stale.approval, { approved: true })).status, 200)
        await soc.query(`UPDATE approvals SET expires_at = now() WHERE id = $1`, [stale.approval])
      })
      await soc.query(`UPDATE executions SET resume_at = now() WHERE id = $1`, [stale.id])
      const ended = await over(stale.id)
      assert.deepEqual(statuses(ended), ['timed_out', 'skipped'], JSON.stringify(ended))
      assert.equal(ended.status, 'timed_out')
      assert.match(ended.error ?? '', /ask: approved by manager, and not used before it expired/)
    },
  )

  await t.test('requests and decisions are live events for those who may decide', async () => {
    const address = await soc.http.listen({ host: '127.0.0.1', port: 0 })
    const stream = await readEvents(t, address, manager)
    const own = await readEvents(t, address, responder)
    const id = await ask()
    await decide(id, { approved: true })
    const { body } = await replay(id)
    await over(body.execution_id)
    const hasEnded = ({ received }: typeof stream) =>
      received.some(
        ({ event, data }) =>
          event === 'execution.completed' && (data as { id: string }).id === body.execution_id,
      )
    await until('it is told', () => hasEnded(stream))
    const names = stream.names()
    for (const name of ['approval.requested', 'approval.decided', 'approval.consumed']) {
      assert.ok(names.includes(name), name)
    }
    await until('the responder hears the execution', () => hasEnded(own))
    assert.ok(!own.names().some((name) => name.startsWith('approval.')))
  })
})
