import assert from 'node:assert/strict'
import { once } from 'node:events'
import type { ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { test } from 'node:test'
import { SMTPServer } from 'smtp-server'
import { playbookRuns, statuses } from '../../../../testing/playbook-runs.ts'
import { startTestSoc } from '../../../../testing/test-soc.ts'
import { until } from '../../../../testing/until.ts'
import { startWebhookServer, WEBHOOKS_ALLOWED } from '../../../../testing/webhook-server.ts'

test('steps that reach outside', async (t) => {
  const mails: string[] = []
  const smtp = new SMTPServer({
    authOptional: true,
    disabledCommands: ['STARTTLS'],
    onRcptTo: ({ address }, _session, done) =>
      address.startsWith('nobody@') ? done(new Error('unknown here')) : done(),
    async onData(stream, _session, done) {
      let mail = ''
      for await (const chunk of stream) mail += chunk
      mails.push(mail)
      done()
    },
  })
  await once(smtp.listen(0, '127.0.0.1'), 'listening')
  t.after(() => new Promise<void>((resolve) => smtp.close(resolve)))
  const { port } = smtp.server.address() as AddressInfo

  let answers: number[] = []
  let holds = false
  let held: ServerResponse | undefined
  const hook = await startWebhookServer(t, (reply, { body }) => {
    held = reply
    if (holds) return
    if (body === 'endless') return void reply.writeHead(200, { 'content-length': 99 }).write('{}')
    if (body === 'nested') return void reply.end('['.repeat(5_000) + ']'.repeat(5_000))
    reply.statusCode = answers.shift() ?? 200
    reply.end('{"ticket":7}')
  })
  const soc = await startTestSoc(t, {
    response: { ...WEBHOOKS_ALLOWED, smtpUrl: `smtp://127.0.0.1:${port}` },
  })
  const { write, run, start, reaches, call, over } = playbookRuns(soc, await soc.signIn())
  const post = { id: 'post', action: 'http_webhook', params: { url: hook.url, body: { n: 1 } } }

  await t.test(
    'a webhook is called with a key of its own, and its answer is the output',
    async () => {
      const done = await run(
        await write({
          steps: [
            post,
            {
              id: 'next',
              action: 'create_case',
              params: { title: 'Ticket {{ steps.post.output.body.ticket }}' },
            },
          ],
        }),
      )
      assert.equal(done.status, 'completed', JSON.stringify(done))
      assert.deepEqual(done.steps[0]?.output, { status: 200, body: { ticket: 7 } })
      assert.equal(hook.received.at(-1)?.body, '{"n":1}')
      assert.equal(hook.received.at(-1)?.headers['idempotency-key'], `${done.id}:post`)
      assert.equal((await call('GET', `/cases/${done.case_id}`)).body.title, 'Ticket 7')
    },
  )

  await t.test('an answer that is nested without end is kept as its text', async () => {
    const nested = { ...post, params: { ...post.params, body: 'nested' } }
    const done = await run(await write({ steps: [nested] }))
    assert.equal(done.status, 'completed', JSON.stringify(done))
    assert.match(String(done.steps[0]?.output?.body), /^\[{5000}/)
  })

  await t.test('an answer that says no is tried again as often as the step says', async () => {
    const before = hook.received.length
    answers = [503, 200]
    const done = await run(await write({ steps: [{ ...post, retries: 1 }] }))
    assert.equal(done.status, 'completed', JSON.stringify(done))
    assert.equal(hook.received.length, before + 2)
    answers = [503]
    const failed = await run(await write({ steps: [post] }))
    assert.equal(failed.status, 'failed')
    assert.match(failed.error ?? '', /^post: 127\.0\.0\.1:\d+ answered 503$/)
    assert.equal(hook.received.length, before + 3)
  })

  await t.test('a gateway that lost the answer is not asked again', async () => {
    const before = hook.received.length
    answers = [504, 200]
    const failed = await run(await write({ steps: [{ ...post, retries: 3 }] }))
    answers = []
    assert.equal(failed.status, 'failed')
    assert.match(failed.error ?? '', /answered 504: the outcome is unknown/)
    assert.equal(hook.received.length, before + 1)
  })

  await t.test(
    'no answer within the time limit is not tried again: it may have been done',
    async () => {
      const before = hook.received.length
      holds = true
      const done = await run(await write({ steps: [{ ...post, timeout_s: 1, retries: 3 }] }))
      holds = false
      assert.equal(done.status, 'timed_out')
      assert.deepEqual(statuses(done), ['timed_out'])
      assert.match(done.error ?? '', /outcome is unknown/)
      assert.equal(hook.received.length, before + 1)
    },
  )

  await t.test('who said yes and then never ends has said yes', async () => {
    const params = { url: hook.url, body: 'endless' }
    const done = await run(await write({ steps: [{ ...post, params, timeout_s: 1 }] }))
    assert.equal(done.status, 'completed', JSON.stringify(done))
    assert.deepEqual(done.steps[0]?.output, { status: 200, body: '' })
  })

  await t.test('the time limit of the whole execution holds for its first step too', async () => {
    holds = true
    const done = await run(await write({ timeout_s: 1, steps: [post] }))
    holds = false
    assert.equal(done.status, 'timed_out')
  })

  await t.test('POST /soar/executions/{id}/cancel breaks off a step that runs', async () => {
    const before = hook.received.length
    holds = true
    const id = await start(await write({ steps: [post, { ...post, id: 'again' }] }))
    await until('the call arrives', () => hook.received.length > before)
    assert.equal((await call('POST', `/soar/executions/${id}/cancel`)).status, 200)
    const done = await over(id)
    holds = false
    assert.equal(done.status, 'cancelled')
    assert.equal(done.error, 'cancelled by admin')
    assert.deepEqual(statuses(done), ['cancelled', 'cancelled'])
    assert.match(done.steps[0]?.error ?? '', /outcome is unknown/)
    assert.equal(hook.received.length, before + 1)
  })

  await t.test('a step may say itself how it is taken back', async () => {
    const undo = {
      action: 'http_webhook',
      params: { url: hook.url, body: { undo: '{{ steps.post.output.body.ticket }}' } },
    }
    const done = await run(await write({ steps: [{ ...post, undo }] }))
    await call('POST', `/soar/executions/${done.id}/rollback`)
    const back = await reaches(done.id, ({ rollback }) => rollback === 'completed')
    assert.deepEqual(statuses(back), ['undone'])
    assert.equal(hook.received.at(-1)?.body, '{"undo":7}')
  })

  await t.test('what was cancelled is taken back to the end', async () => {
    const before = hook.received.length
    const arrived = (calls: number) =>
      until('the call arrives', () => hook.received.length === before + calls)
    const undo = { action: 'http_webhook', params: { url: hook.url } }
    const open = { id: 'open', action: 'create_case', params: { title: 'Cancelled' }, undo }
    holds = true
    const id = await start(await write({ steps: [open, post] }))
    await arrived(1)
    await call('POST', `/soar/executions/${id}/cancel`)
    assert.deepEqual(statuses(await over(id)), ['completed', 'cancelled'])
    assert.equal((await call('POST', `/soar/executions/${id}/rollback`)).status, 200)
    await arrived(2)
    holds = false
    const leaseOf = async () =>
      String(
        (
          await soc.query<{ lease_until: Date | null }>(
            'SELECT lease_until FROM executions WHERE id = $1',
            [id],
          )
        )[0]?.lease_until,
      )
    const lease = await leaseOf()
    await until('it was looked after', async () => (await leaseOf()) !== lease)
    held?.end()
    assert.deepEqual(statuses(await over(id)), ['undone', 'cancelled'])
  })

  await t.test('what cannot be taken back is named', async () => {
    const undo = { action: 'http_webhook', params: { url: hook.url } }
    const done = await run(await write({ steps: [{ ...post, undo }] }))
    answers = [500]
    await call('POST', `/soar/executions/${done.id}/rollback`)
    const back = await reaches(done.id, ({ rollback }) => rollback === 'failed')
    assert.deepEqual(statuses(back), ['undo_failed'])
    assert.equal(back.error, 'not taken back: post')
    const again = await call('POST', `/soar/executions/${done.id}/rollback`)
    assert.equal(again.status, 409)
    assert.match(again.body.detail, /was rolled back in part: its steps say what/)
  })

  await t.test('send_email reaches the mail server', async () => {
    const step = {
      id: 'tell',
      action: 'send_email',
      params: {
        to: 'soc@example.com',
        subject: 'Alert\nBcc: x@y.z',
        body: 'Look: {{ execution.id }}',
      },
    }
    const done = await run(await write({ steps: [step] }))
    assert.equal(done.status, 'completed', JSON.stringify(done))
    assert.deepEqual(done.steps[0]?.output, { accepted: ['soc@example.com'], rejected: [] })
    assert.match(mails[0] ?? '', new RegExp(`Look: ${done.id}`))
    assert.doesNotMatch(mails[0] ?? '', /^Bcc:/m)
    const refused = await run(
      await write({ steps: [{ ...step, params: { ...step.params, to: 'nobody@example.com' } }] }),
    )
    assert.match(refused.error ?? '', /did not take it/)
    assert.equal(mails.length, 1)
  })

  await t.test('without a mail server the step says which setting is missing', async () => {
    const other = await startTestSoc(t)
    const runs = playbookRuns(other, await other.signIn())
    const params = { to: 'a@b.example', subject: 's', body: 'b' }
    const failed = await runs.run(
      await runs.write({ steps: [{ id: 'tell', action: 'send_email', params }] }),
    )
    assert.match(failed.error ?? '', /SOC_SMTP_URL/)
    const blocked = await runs.run(await runs.write({ steps: [post] }))
    assert.match(blocked.error ?? '', /SOC_WEBHOOK_ALLOW/)
  })
})
