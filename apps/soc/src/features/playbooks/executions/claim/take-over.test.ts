import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sql } from 'kysely'
import { openDatabase } from '../../../../db/database.ts'
import { playbookRuns, statuses, WAIT_IS_OVER } from '../../../../testing/playbook-runs.ts'
import { severablePostgres } from '../../../../testing/severable-postgres.ts'
import { silentLog } from '../../../../testing/test-postgres.ts'
import { startTestSoc } from '../../../../testing/test-soc.ts'
import { until } from '../../../../testing/until.ts'
import { startWebhookServer, WEBHOOKS_ALLOWED } from '../../../../testing/webhook-server.ts'
import { claimDue } from './claim-executions.ts'

test('two processes share executions, and each webhook is called once', async (t) => {
  const hook = await startWebhookServer(t)
  // However slow the machine is: this is not about what a process takes from one that is dead.
  const options = { response: WEBHOOKS_ALLOWED, leaseMs: 3_600_000 }
  const first = await startTestSoc(t, options)
  const second = await startTestSoc(t, { ...options, connection: first.connection })
  const as = await first.signIn()
  const runs = playbookRuns(first, as)
  const playbook = await runs.write({
    steps: [
      { id: 'a', action: 'http_webhook', params: { url: hook.url, body: '{{ execution.id }} a' } },
      { id: 'w', action: 'wait', params: { seconds: 0.01 } },
      { id: 'b', action: 'http_webhook', params: { url: hook.url, body: '{{ execution.id }} b' } },
    ],
  })
  const starts = Array.from({ length: 16 }, (_, index) =>
    playbookRuns(index % 2 ? first : second, as).start(playbook),
  )
  const ids = await Promise.all(starts)
  for (const id of ids) {
    const done = await runs.over(id)
    assert.equal(done.status, 'completed', JSON.stringify(done))
  }
  const expected = ids.flatMap((id) => [`${id} a`, `${id} b`]).sort()
  assert.deepEqual(hook.received.map(({ body }) => body).sort(), expected)
  const { run_count } = (await runs.call('GET', `/soar/playbooks/${playbook.id}`)).body
  assert.equal(run_count, 16)
})

test('what a dead process held is taken over when its lease is over, and not before', async (t) => {
  const hook = await startWebhookServer(t)
  const soc = await startTestSoc(t, { response: WEBHOOKS_ALLOWED })
  const { write, start, reaches, over, read } = playbookRuns(soc, await soc.signIn())
  const playbook = await write({
    steps: [
      { id: 'w', action: 'wait', params: { seconds: 3_600 } },
      { id: 'post', action: 'http_webhook', params: { url: hook.url } },
      { id: 'open', action: 'create_case', params: { title: 'x' } },
    ],
  })
  /** As a process leaves it that dies in the step at `position`. */
  async function abandoned(position: number, lease: string) {
    const id = await start(playbook)
    await reaches(id, ({ steps }) => steps[0]?.status === 'waiting')
    await soc.query(
      `UPDATE execution_steps SET status = CASE WHEN position < $2 THEN 'completed'
      WHEN position = $2 THEN 'running' ELSE 'pending' END, attempts = 1 WHERE execution_id = $1`,
      [id, position],
    )
    await soc.query(
      `UPDATE executions SET owner = 'dead/1', status = 'running', resume_at = now(),
       lease_until = now() + $2::interval WHERE id = $1`,
      [id, lease],
    )
    return id
  }
  const held = await abandoned(2, '1 hour')
  const acted = await over(await abandoned(1, '-1 s'))
  assert.equal(acted.status, 'failed')
  assert.deepEqual(statuses(acted), ['completed', 'failed', 'skipped'])
  assert.match(acted.error ?? '', /outcome is unknown/)
  const recorded = await over(await abandoned(2, '-1 s'))
  assert.equal(recorded.status, 'completed', JSON.stringify(recorded))
  assert.equal(hook.received.length, 0)
  assert.equal((await read(held)).status, 'running')

  await t.test(
    'what has something to do goes before what only looks, by a minute at most',
    async () => {
      const wait = { id: 'w', action: 'wait', params: { seconds: 3_600 } }
      const looking = await write({ steps: [wait] })
      const ids = await Promise.all([1, 2, 3].map(() => start(looking)))
      for (const id of ids) await reaches(id, ({ steps }) => steps[0]?.status === 'waiting')
      const database = await openDatabase({ connection: soc.connection, log: silentLog })
      const claimed: (string | undefined)[] = []
      // Nobody else sees what is due in here.
      const looked = database.kysely.transaction().execute(async (tx) => {
        for (const [index, [status, since]] of [
          ['running', '20 s'],
          ['pending', '1 s'],
          ['running', '90 s'],
        ].entries()) {
          await sql`UPDATE executions SET status = ${status}, resume_at = now() - ${since}::interval
          WHERE id = ${ids[index]}`.execute(tx)
        }
        for (const _ of ids) {
          const claim = { owner: 'a/1', instance: 'a', leaseMs: 60_000, except: [], free: 1 }
          claimed.push((await claimDue(tx, claim))[0]?.id)
        }
        throw new Error('enough')
      })
      await assert.rejects(looked, /enough/).finally(() => database.close())
      assert.deepEqual(claimed, [ids[2], ids[1], ids[0]])
    },
  )
})

test('a process that lost an execution records nothing in it any more', async (t) => {
  const answers: (() => void)[] = []
  const hook = await startWebhookServer(t, (reply) => void answers.push(() => reply.end('{}')))
  const soc = await startTestSoc(t, { response: WEBHOOKS_ALLOWED })
  const { write, start } = playbookRuns(soc, await soc.signIn())
  const id = await start(
    await write({
      steps: [
        { id: 'post', action: 'http_webhook', params: { url: hook.url } },
        { id: 'open', action: 'create_case', params: { title: 'x' } },
      ],
    }),
  )
  await until('the call is there', () => answers.length === 1)
  await soc.query(
    `UPDATE executions SET owner = 'other/1', lease_until = now() + interval '1 hour'`,
  )
  answers[0]?.()
  await soc.stop()
  const again = await startTestSoc(t, { connection: soc.connection })
  const seen = await playbookRuns(again, await again.signIn()).read(id)
  assert.deepEqual(statuses(seen), ['running', 'pending'])
})

test('a service that ends lets a step end, and the next one goes on', async (t) => {
  const ending = Promise.withResolvers<void>()
  const hook = await startWebhookServer(t, (reply) => {
    void ending.promise.then(() => reply.end('{}'))
  })
  const first = await startTestSoc(t, { response: WEBHOOKS_ALLOWED })
  const runs = playbookRuns(first, await first.signIn())
  const post = (id: string) => ({ id, action: 'http_webhook', params: { url: hook.url } })
  // It ends in the order of its parts: until it comes to this one the next step may begin.
  const rest = { id: 'rest', action: 'wait', params: { seconds: 3_600 } }
  const id = await runs.start(await runs.write({ steps: [post('a'), rest, post('b')] }))
  await until('the first call is there', () => hook.received.length === 1)
  const stopped = first.stop()
  ending.resolve()
  await stopped
  assert.equal(hook.received.length, 1)
  const second = await startTestSoc(t, {
    response: WEBHOOKS_ALLOWED,
    connection: first.connection,
  })
  const { reaches, over } = playbookRuns(second, await second.signIn())
  await reaches(id, ({ steps }) => steps[1]?.status === 'waiting')
  await second.query(WAIT_IS_OVER, [id])
  const done = await over(id)
  assert.equal(done.status, 'completed', JSON.stringify(done))
  assert.equal(hook.received.length, 2)
})

test('what a webhook answered while the database was away is not forgotten', async (t) => {
  const answers: (() => void)[] = []
  const hook = await startWebhookServer(t, (reply) => void answers.push(() => reply.end('{}')))
  const line = await severablePostgres(t)
  const soc = await startTestSoc(t, { response: WEBHOOKS_ALLOWED, connection: line.connection })
  const { call, write, start, over } = playbookRuns(soc, await soc.signIn())
  const databaseIs = (state: 'up' | 'down') =>
    until(
      `the database is ${state}`,
      async () => (await soc.call('GET', '/health')).body.database === state,
    )
  /** The call that is under way is answered while the database is away. */
  async function answeredMeanwhile(calls: number) {
    await until('the call is there', () => answers.length === calls)
    await line.cut()
    answers.at(-1)?.()
    await databaseIs('down')
    await line.mend()
    await databaseIs('up')
  }
  const post = { action: 'http_webhook', params: { url: hook.url } }
  const open = { id: 'open', action: 'create_case', params: { title: 'after' } }
  const id = await start(await write({ steps: [{ id: 'post', ...post, undo: post }, open] }))
  await answeredMeanwhile(1)
  const done = await over(id)
  assert.equal(done.status, 'completed', JSON.stringify(done))
  assert.equal((await call('POST', `/soar/executions/${id}/rollback`)).status, 200)
  await answeredMeanwhile(2)
  const back = await over(id)
  assert.deepEqual(statuses(back), ['undone', 'undone'], JSON.stringify(back))
  assert.equal(hook.received.length, 2)
})
