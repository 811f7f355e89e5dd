import assert from 'node:assert/strict'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { test } from 'node:test'
import { playbookRuns, statuses } from '../../../../testing/playbook-runs.ts'
import { EDR_SECRET } from '../../../../testing/reference-edr.ts'
import { startTestSoc } from '../../../../testing/test-soc.ts'
import { until } from '../../../../testing/until.ts'

type Answer = [status: number, body: object]

const running: Answer = [202, { status: 'running', detail: null }]
const completed: Answer = [200, { status: 'completed', detail: null }]

const PATIENCE_IS_OVER = `UPDATE execution_steps
  SET output = jsonb_set(output, '{undo,patience}', '"2026-01-01T00:00:00.000Z"')
  WHERE execution_id = $1`

test('a rollback and an isolation that is not over', async (t) => {
  /** It answers to orders as the test says. */
  const edr = {
    ...{ status: 'online', isolation: 'none' },
    ...{ isolate: completed, unisolate: completed, outcome: running },
    ordered: [] as string[],
  }
  // A connection that nobody uses for a while is not closed under who is about to use it again.
  const server = createServer({ keepAliveTimeout: 0 }, async (request, reply) => {
    const { status, isolation } = edr
    const endpoint = {
      ...{ id: 'a-1', hostname: 'lap-1', ips: [], os: { name: null, version: null, arch: null } },
      ...{ agent_version: '1', labels: [], status, isolation },
      last_seen_at: new Date().toISOString(),
    }
    const [code, body] = request.url?.startsWith('/v1/endpoints')
      ? [200, { endpoints: [endpoint], next_cursor: null }]
      : request.method === 'POST'
        ? orderedBy((await request.toArray()).join(''))
        : edr.outcome
    reply.writeHead(code, { 'content-type': 'application/json' }).end(JSON.stringify(body))
  }).listen(0, '127.0.0.1')
  await new Promise((resolve) => server.once('listening', resolve))
  t.after(() => server.close())

  function orderedBy(text: string): Answer {
    const { command } = JSON.parse(text) as { command: 'isolate' | 'unisolate' }
    edr.ordered.push(command)
    if (edr[command] === completed) edr.isolation = command === 'isolate' ? 'isolated' : 'none'
    return edr[command]
  }

  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const soc = await startTestSoc(t, { edr: { url, secret: EDR_SECRET, pollMs: 50 } })
  const { call, write, run, reaches, over } = playbookRuns(soc, await soc.signIn())
  const endpoint = async () => (await call('GET', '/edr/endpoints?hostname=lap-1')).body.items[0]
  const is = (field: 'status' | 'isolation', value: string) =>
    until(`${field} is ${value}`, async () => (await endpoint())?.[field] === value)
  const rollBack = (id: string) => call('POST', `/soar/executions/${id}/rollback`)
  const params = { endpoint: 'lap-1', wait_s: 0 }
  const playbook = await write({ steps: [{ id: 'cut', action: 'edr_isolate', params }] })
  await is('isolation', 'none')

  await t.test('one that is on its way is taken back once it has come about', async () => {
    edr.isolate = running
    const { id, steps } = await run(playbook)
    await until('the EDR has it', async () => {
      const { body } = await call('GET', `/edr/actions/${steps[0]?.output?.action_id}`)
      return body.status === 'sent'
    })
    const early = await call('POST', '/edr/endpoints/lap-1/unisolate')
    assert.deepEqual([early.status, early.headers['retry-after']], [409, '2'])
    assert.equal((await rollBack(id)).status, 200)
    const waits = await reaches(id, (execution) => execution.steps[0]?.error !== null)
    assert.deepEqual([waits.rollback, statuses(waits)], ['pending', ['undoing']])
    assert.match(waits.steps[0]?.error ?? '', /lap-1 is being isolated/)
    Object.assign(edr, { outcome: completed, isolation: 'isolated' })
    const back = await over(id)
    assert.deepEqual([back.rollback, statuses(back)], ['completed', ['undone']])
    assert.equal(back.steps[0]?.error, null)
    await is('isolation', 'none')
    assert.deepEqual(edr.ordered, ['isolate', 'unisolate'])
  })

  await t.test('a release that the EDR refuses is not told as done', async () => {
    edr.isolate = completed
    const { id } = await run(playbook)
    await is('isolation', 'isolated')
    edr.unisolate = [422, { error: 'agent_busy' }]
    await rollBack(id)
    const back = await over(id)
    assert.deepEqual([back.rollback, statuses(back)], ['failed', ['undo_failed']])
    assert.match(back.steps[0]?.error ?? '', /did not unisolate: .*agent_busy/)
    assert.equal((await endpoint()).isolation, 'isolated')
  })

  await t.test('nor is one that waits for its endpoint, which is still done', async () => {
    edr.unisolate = completed
    await call('POST', '/edr/endpoints/lap-1/unisolate')
    await is('isolation', 'none')
    const { id } = await run(playbook)
    await is('isolation', 'isolated')
    edr.status = 'offline'
    await is('status', 'offline')
    await rollBack(id)
    await reaches(id, (execution) => execution.steps[0]?.output?.undo !== undefined)
    await soc.query(PATIENCE_IS_OVER, [id])
    const back = await over(id)
    assert.deepEqual([back.rollback, statuses(back)], ['failed', ['undo_failed']])
    assert.match(back.steps[0]?.error ?? '', /ordered and not done yet: waits until the endpoint/)
    edr.status = 'online'
    await is('isolation', 'none')
  })
})
