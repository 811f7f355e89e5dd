import assert from 'node:assert/strict'
import path from 'node:path'
import { type TestContext, test } from 'node:test'
import { mainOf, processFixture } from '@manara/kit/testing/service-process'
import type { CaseDetail } from '@manara/soc-contract/cases'
import pg from 'pg'
import { playbookRuns, statuses, WAIT_IS_OVER } from '../../../testing/playbook-runs.ts'
import { testDatabase } from '../../../testing/test-postgres.ts'
import { ADMIN_PASSWORD } from '../../../testing/test-soc.ts'
import { until } from '../../../testing/until.ts'
import { startWebhookServer } from '../../../testing/webhook-server.ts'

const MAIN = mainOf('soc')

/** The real program on a database of its own, which outlives it. */
async function setup(t: TestContext) {
  const connection = await testDatabase()
  const { host, user, database } = connection
  const { start } = processFixture(t, MAIN, (folder) => ({
    SOC_PORT: '0',
    SOC_WARM_UP: 'off',
    SOC_STARTER_RULES: 'off',
    // They write into the records that are counted here.
    SOC_AGENTS: 'off',
    SOC_DATA: path.join(folder, 'data'),
    SOC_ADMIN_PASSWORD: ADMIN_PASSWORD,
    SOC_RATE_GENERAL: '1000000',
    SOC_RATE_EXECUTE: '1000000',
    SOC_WEBHOOK_ALLOW: '127.0.0.1',
    DATABASE_URL: `postgresql://${user}@localhost/${database}?host=${encodeURIComponent(String(host))}`,
  }))
  /** Straight to the database, past the service. */
  async function query(text: string, values: string[]) {
    const client = new pg.Client(connection)
    await client.connect()
    await client.query(text, values)
    await client.end()
  }
  const begin = async () => {
    const service = start()
    const [, address] = await service.printed(/^soc +(http\S+)/m)
    const call = async (
      method: string,
      url: string,
      { as, body }: { as?: string; body?: unknown },
    ) => {
      const reply = await fetch(`${address}/api/v1${url}`, {
        method,
        headers: {
          ...(as ? { authorization: `Bearer ${as}` } : {}),
          ...(body === undefined ? {} : { 'content-type': 'application/json' }),
        },
        ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      })
      return { status: reply.status, headers: {}, body: await reply.json() }
    }
    const credentials = { username: 'admin', password: ADMIN_PASSWORD }
    const { body } = (await call('POST', '/auth/token', { body: credentials })) as {
      body: { access_token: string }
    }
    const runs = playbookRuns({ call: call as never }, body.access_token)
    return { ...runs, kill: () => service.end('SIGKILL') }
  }
  return { start: begin, query }
}

test('kill -9 while a webhook is called: it is never called twice, and that is said', async (t) => {
  const hook = await startWebhookServer(t, (reply, { body }) => {
    if (body !== 'hold') reply.end('{}')
  })
  const { start, query } = await setup(t)
  const first = await start()
  const post = (id: string, body: string) => ({
    id,
    action: 'http_webhook',
    params: { url: hook.url, body },
    retries: 3,
  })
  const playbook = await first.write({
    steps: [
      { id: 'open', action: 'create_case', params: { title: 'once' } },
      post('told', 'go'),
      post('held', 'hold'),
      { id: 'never', action: 'create_case', params: { title: 'never', reuse: false } },
    ],
  })
  const waiting = await first.write({
    steps: [{ id: 'rest', action: 'wait', params: { seconds: 3_600 } }, post('after', 'later')],
  })
  const struck = await first.start(playbook)
  const parked = await first.start(waiting)
  await until('the call is held', () => hook.received.some(({ body }) => body === 'hold'))
  await first.reaches(parked, ({ steps }) => steps[0]?.status === 'waiting')
  await first.kill()
  await query(WAIT_IS_OVER, [parked])

  const second = await start()
  const failed = await second.over(struck)
  assert.equal(failed.status, 'failed')
  assert.deepEqual(statuses(failed), ['completed', 'completed', 'failed', 'skipped'])
  assert.match(failed.steps[2]?.error ?? '', /the service ended while it ran.*outcome is unknown/)
  const resumed = await second.over(parked)
  assert.equal(resumed.status, 'completed', JSON.stringify(resumed))
  const count = (wanted: string) => hook.received.filter(({ body }) => body === wanted).length
  assert.deepEqual([count('go'), count('hold'), count('later')], [1, 1, 1])
  assert.equal((await second.call('GET', '/cases')).body.total, 1)
})

test('kill -9 amid steps that record: each is there once', async (t) => {
  const { start } = await setup(t)
  const first = await start()
  const { id: caseId } = (await first.call('POST', '/cases', { title: 'many' })).body
  const playbook = await first.write({
    steps: Array.from({ length: 15 }, (_, index) => ({
      id: `s${index}`,
      action: 'add_comment',
      params: { case_id: caseId, body: `{{ execution.id }} ${index}` },
    })),
  })
  const ids = await Promise.all([1, 2, 3].map(() => first.start(playbook)))
  await first.reaches(ids[0] ?? '', ({ steps_completed }) => steps_completed >= 5)
  await first.kill()

  const second = await start()
  for (const id of ids) assert.equal((await second.over(id)).status, 'completed')
  const { comments }: CaseDetail = (await second.call('GET', `/cases/${caseId}`)).body
  const bodies = comments.map(({ body }) => body)
  assert.equal(bodies.length, 45)
  assert.equal(new Set(bodies).size, 45)
})
