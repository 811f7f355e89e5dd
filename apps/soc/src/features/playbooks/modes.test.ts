import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Execution } from '@manara/soc-contract/playbooks'
import { playbookRuns } from '../../testing/playbook-runs.ts'
import { severablePostgres } from '../../testing/severable-postgres.ts'
import { startTestSoc } from '../../testing/test-soc.ts'
import { until } from '../../testing/until.ts'
import { startWebhookServer, WEBHOOKS_ALLOWED } from '../../testing/webhook-server.ts'

const RULE = '/soar/rules/00000000-0000-4000-8000-c00000000001/toggle'

test('real: no response rules, and toggling one is 503', async (t) => {
  const soc = await startTestSoc(t)
  const as = await soc.signIn()
  const { status, body } = await soc.call('GET', '/soar/rules', { as })
  assert.equal(status, 200)
  assert.deepEqual(body.items, [])
  assert.equal((await soc.call('POST', RULE, { as })).status, 503)
})

test('the execution rate limit is 5 a minute, over both routes', async (t) => {
  const soc = await startTestSoc(t, {
    rates: { general: 1_000, investigate: 10, execute: 5 },
  })
  const as = await soc.signIn()
  const replies = []
  for (let count = 0; count < 6; count += 1) {
    const area = count % 2 ? 'soar/playbooks' : 'playbooks'
    replies.push(await soc.call('POST', `/${area}/nobody/execute`, { as }))
  }
  assert.deepEqual(
    replies.map(({ status }) => status),
    [404, 404, 404, 404, 404, 429],
  )
  assert.ok(Number(replies.at(-1)?.headers['retry-after']) > 0)
  assert.equal((await soc.call('GET', '/soar/executions', { as })).status, 200)
})

test('dummy: reads, showcase rules, and every change is 409', async (t) => {
  const soc = await startTestSoc(t, { mode: 'dummy' })
  const as = await soc.signIn()
  assert.ok((await soc.call('GET', '/soar/playbooks', { as })).body.total > 0)
  assert.ok((await soc.call('GET', '/soar/rules', { as })).body.total > 0)
  for (const [path, body] of [
    ['/soar/playbooks/isolate-host/execute', {}],
    ['/playbooks/triage-alert/execute', { dry_run: true }],
    ['/soar/playbooks/isolate-host/toggle', undefined],
    [RULE, undefined],
    ['/approvals/x/decide', { approved: true }],
    ['/soar/executions/x/cancel', undefined],
    [
      '/soar/playbooks',
      { name: 'x', steps: [{ id: 's', action: 'wait', params: { seconds: 1 } }] },
    ],
  ] as const) {
    const reply = await soc.call('POST', path, { as, body })
    assert.equal(reply.status, 409, path)
    assert.match(reply.body.detail, /dummy/)
  }
  assert.equal((await soc.call('GET', '/soar/executions', { as })).body.total, 0)
})

test('dummy without a database shows the story', async (t) => {
  const line = await severablePostgres(t)
  const soc = await startTestSoc(t, { mode: 'dummy', connection: line.connection })
  const as = await soc.signIn()
  await line.cut()
  await until('it is noticed', async () => {
    const { body } = await soc.call('GET', '/system/mode', { as })
    return body.uses_showcase_data
  })
  for (const path of [
    '/soar/playbooks',
    '/soar/playbooks/isolate-host',
    '/playbooks',
    '/soar/executions',
    '/playbooks/executions?status=completed',
    '/approvals',
    '/soar/rules',
  ]) {
    const { status, body } = await soc.call('GET', path, { as })
    assert.equal(status, 200, path)
    assert.ok(body.id ?? body.total > 0, path)
  }
})

test('dry_run', async (t) => {
  const hook = await startWebhookServer(t)
  const real = await startTestSoc(t)
  const runs = playbookRuns(real, await real.signIn())
  const steps = [
    { id: 'open', action: 'create_case', params: { title: 'from {{ execution.requested_by }}' } },
    { id: 'post', action: 'http_webhook', params: { url: hook.url } },
  ]
  const plain = await runs.write({ steps })
  const critical = await runs.write({ steps, is_critical: true })
  const automatic = await runs.write({ steps, trigger: { on: 'alert.created' } })
  await real.stop()
  const soc = await startTestSoc(t, {
    mode: 'dry_run',
    connection: real.connection,
    response: WEBHOOKS_ALLOWED,
  })
  const { call, over } = playbookRuns(soc, await soc.signIn())
  const total = async (path: string) => (await call('GET', path)).body.total

  await t.test(
    'an execution is a rehearsal: simulated receipts are stored, nothing is done',
    async () => {
      const { status, body } = await call('POST', `/soar/playbooks/${plain.id}/execute`)
      assert.equal(status, 200)
      assert.equal(body.preview, true)
      assert.equal(body.dry_run, true)
      const done = await over(body.execution_id)
      assert.equal(done.status, 'completed', JSON.stringify(done))
      assert.ok(done.steps.every(({ output }) => output?.simulated === true))
      assert.equal(await total('/cases'), 0)
      assert.equal(hook.received.length, 0)
    },
  )

  await t.test(
    'a critical one previews that it would wait; asked to rehearse, it does',
    async () => {
      const path = `/soar/playbooks/${critical.id}/execute`
      const { body } = await call('POST', path)
      assert.equal(body.status, 'pending_approval')
      assert.equal(body.preview, true)
      assert.equal((await call('GET', `/approvals/${body.approval_id}`)).status, 404)
      const rehearsed = (await call('POST', path, { dry_run: true })).body
      assert.equal((await over(rehearsed.execution_id)).status, 'completed')
      assert.equal(hook.received.length, 0)
    },
  )

  await t.test('what pipelines start records in earnest and reaches nobody', async () => {
    // An operator's alert is a preview here, so it comes straight from the database, as a pipeline's.
    await soc.query(`INSERT INTO alerts (id, title, source, severity, status, iocs, tags, mitre_techniques, dedup_hash)
      VALUES ('00000000-0000-7000-8000-000000000001', 'T', 's', 'low', 'new', '{}', '{}', '{}', 'h')`)
    await soc.query(`INSERT INTO outbox (event, data) VALUES ('alert.created',
      '{"id":"00000000-0000-7000-8000-000000000001","case_id":null}')`)
    let found: Execution | undefined
    await until('it is started', async () => {
      found = (await call('GET', `/soar/executions?playbook_id=${automatic.id}`)).body.items[0]
      return found !== undefined
    })
    const done = await over(found?.id ?? '')
    assert.equal(done.status, 'completed', JSON.stringify(done))
    assert.equal(done.dry_run, false)
    assert.equal((await call('GET', `/cases/${done.case_id}`)).status, 200)
    assert.equal(done.steps[1]?.output?.simulated, true)
    assert.equal(hook.received.length, 0)
  })

  await t.test('other changes are previews: nothing is stored', async () => {
    const off = await call('POST', `/soar/playbooks/${plain.id}/toggle`)
    assert.deepEqual([off.status, off.body.preview, off.body.enabled], [200, true, false])
    assert.equal((await call('GET', `/soar/playbooks/${plain.id}`)).body.enabled, true)
    const [some] = (await call('GET', '/soar/executions')).body.items
    assert.equal((await call('POST', `/soar/executions/${some.id}/cancel`)).status, 409)
  })
})
