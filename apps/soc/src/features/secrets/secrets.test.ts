import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { test } from 'node:test'
import type { Secret } from '@manara/soc-contract/secrets'
import { playbookRuns, statuses } from '../../testing/playbook-runs.ts'
import { startTestSoc } from '../../testing/test-soc.ts'
import { startWebhookServer, WEBHOOKS_ALLOWED } from '../../testing/webhook-server.ts'

const VALUE = 'tok-4f1d "q" ü+/='

test('secrets of playbooks', async (t) => {
  let answer = '{"ok":true}'
  const status = 200
  const hook = await startWebhookServer(t, (reply) => {
    reply.statusCode = status
    reply.end(answer)
  })
  const soc = await startTestSoc(t, { response: WEBHOOKS_ALLOWED })
  const { call, write, run, over } = playbookRuns(soc, await soc.signIn())
  const store = (name: string, body: object = {}) =>
    call('PUT', `/secrets/${name}`, { value: VALUE, ...body })
  const posting = (params: object = {}, more: object = {}) => ({
    id: 'post',
    action: 'http_webhook',
    params: { url: hook.url, ...params },
    ...more,
  })
  const authorized = { headers: { authorization: 'Bearer {{ secrets.api_key }}' } }
  const playbook = (steps: object[], more: object = {}) => ({ name: 'Test', steps, ...more })

  await t.test('a value is stored and never answered again', async () => {
    const made = await store('api_key', { value: 'first value', description: 'of the desk' })
    assert.equal(made.status, 200, JSON.stringify(made.body))
    const rotated: Secret = (await store('api_key', { value: 'token-of-the-desk' })).body
    assert.deepEqual([rotated.version, rotated.created_by, rotated.used_by], [2, 'admin', []])
    const listed = await call('GET', '/secrets')
    assert.deepEqual(listed.body.items, [rotated])
    const one = await call('GET', '/secrets/api_key')
    for (const { body } of [made, listed, one]) {
      assert.doesNotMatch(JSON.stringify(body), /first value|token-of-the-desk|sealed/)
    }
    assert.equal((await call('GET', '/secrets/other')).status, 404)
  })

  for (const [name, body, field] of [
    ['Api', { value: VALUE }, /^name: /],
    ['api', {}, /^value: /],
    ['api', { value: 'short' }, /^value: must have at least 8/],
    ['api', { value: 'a\u0000b'.repeat(9) }, /^value: /],
    ['api', { value: VALUE, hosts: ['https://x'] }, /^hosts\.0: /],
    ['api', { value: VALUE, more: 1 }, /^more: /],
  ] as const) {
    await t.test(`PUT /secrets/${name} ${JSON.stringify(body)} is refused`, async () => {
      const refused = await call('PUT', `/secrets/${name}`, body)
      assert.equal(refused.status, 400)
      assert.match(refused.body.detail, field)
      assert.ok(!JSON.stringify(refused.body).includes(VALUE))
    })
  }

  await t.test('only those who write playbooks reach them, and no key changes one', async () => {
    const analyst = await soc.signInAs('analyst')
    for (const [method, url] of [
      ['GET', '/secrets'],
      ['PUT', '/secrets/api_key'],
      ['DELETE', '/secrets/api_key'],
    ] as const) {
      assert.equal((await call(method, url, { value: VALUE }, analyst)).status, 403)
    }
  })

  for (const [what, steps, detail] of [
    [
      'a secret that is not stored',
      [posting({ headers: { a: '{{ secrets.none }}' } })],
      'steps.0.params.headers.a: no secret is called none',
    ],
    [
      'a secret in an undo that is not stored',
      [
        posting(
          {},
          {
            undo: {
              action: 'http_webhook',
              params: { url: 'https://a.example/', body: ['{{ secrets.none }}'] },
            },
          },
        ),
      ],
      'steps.0.undo.params.body.0: no secret is called none',
    ],
    [
      'a secret in what is recorded',
      [{ id: 'open', action: 'create_case', params: { title: '{{ secrets.api_key }}' } }],
      'steps.0.params.title: a secret may stand in the url, the headers or the body of http_webhook only',
    ],
    [
      'a secret in a condition',
      [posting({}, { when: "secrets.api_key startswith 't'" })],
      'steps.0.when: a secret may stand in the url, the headers or the body of http_webhook only',
    ],
    [
      'a secret that is compared',
      [posting({ body: "{{ secrets.api_key == 'x' }}" })],
      'steps.0.params.body: a secret stands alone, as in {{ secrets.name }}',
    ],
    [
      'a host that an alert names',
      [posting({ url: 'https://{{ alert.host }}/', ...authorized })],
      /^steps\.0\.params\.url: must begin with the host as it is/,
    ],
    [
      'a host that is the secret',
      [posting({ url: '{{ secrets.api_key }}' })],
      /^steps\.0\.params\.url: must begin with the host as it is/,
    ],
  ] as const) {
    await t.test(`a playbook with ${what} is refused`, async () => {
      const refused = await call('POST', '/soar/playbooks', playbook([...steps]))
      assert.equal(refused.status, 400)
      if (typeof detail === 'string') assert.equal(refused.body.detail, detail)
      else assert.match(refused.body.detail, detail)
    })
  }

  await t.test('it is sent, and its name stands for it everywhere else', async () => {
    await store('api_key')
    const body = { plain: '{{ secrets.api_key }}', alert: '{{ alert.title }}' }
    const alert = await call('POST', '/alerts', { title: '{{ secrets.api_key }}', source: 's' })
    answer = JSON.stringify({
      you: `sent ${VALUE}`,
      base64: Buffer.from(`u:${VALUE}`).toString('base64'),
    })
    await store('path', { value: 'T000/B000/xyz' })
    const url = `${hook.url}/{{ secrets.path }}`
    await store('api_key', { value: 'Printable-Value-7' })
    const made = await write(playbook([posting({ ...authorized, url, body })]))
    const done = await run(made, { alert_id: alert.body.id })
    assert.equal(done.status, 'completed', JSON.stringify(done))
    const sent = hook.received.at(-1)
    assert.equal(sent?.path, '/hook/T000/B000/xyz')
    assert.equal(sent?.headers.authorization, 'Bearer Printable-Value-7')
    assert.deepEqual(
      JSON.parse(sent?.body ?? ''),
      { plain: 'Printable-Value-7', alert: '{{ secrets.api_key }}' },
      'what an alert says is no template',
    )
    const [step] = await soc.query<{ input: object }>(
      `SELECT input FROM execution_steps WHERE execution_id = '${done.id}'`,
    )
    assert.deepEqual(step?.input, {
      ...{ url, ...authorized },
      body: { plain: '{{ secrets.api_key }}', alert: '{{ secrets.api_key }}' },
    })
    const { used_by }: Secret = (await call('GET', '/secrets/path')).body
    assert.deepEqual(used_by, [{ playbook_id: made.id, playbook_name: 'Test' }])
  })

  await t.test('an answer or an error that repeats it is redacted', async () => {
    await store('echoed')
    const made = await write(playbook([posting({ body: { key: '{{ secrets.echoed }}' } })]))
    answer = JSON.stringify({
      you: [`sent ${VALUE}`],
      b: Buffer.from(`u:${VALUE}`).toString('base64'),
    })
    const done = await run(made)
    assert.deepEqual(JSON.parse(hook.received.at(-1)?.body ?? ''), { key: VALUE })
    const { you, b } = (done.steps[0]?.output?.body ?? {}) as { you: string[]; b: string }
    assert.deepEqual(you, ['sent [secret echoed]'])
    assert.match(b, /\[secret echoed\]/)
    const header = await write(playbook([posting({ headers: { a: '{{ secrets.echoed }}' } })]))
    const failed = await run(header)
    assert.equal(failed.error, 'post: params.headers.a: must be printable ASCII')
  })

  await t.test('an approval shows its name; another value since is sent', async () => {
    await store('api_key', { value: 'before-approval' })
    const made = await write(playbook([posting(authorized)], { is_critical: true }))
    const asked = await call('POST', `/soar/playbooks/${made.id}/execute`, {})
    const approval = await call('GET', `/approvals/${asked.body.approval_id}`)
    assert.deepEqual(approval.body.steps[0].params.headers, authorized.headers)
    await store('api_key', { value: 'after-approval' })
    const manager = await soc.signInAs('manager')
    const decided = await call(
      'POST',
      `/approvals/${asked.body.approval_id}/decide`,
      { approved: true },
      manager,
    )
    assert.equal(decided.status, 200, JSON.stringify(decided.body))
    const begun = await call(
      'POST',
      `/soar/playbooks/${made.id}/execute?approval_id=${asked.body.approval_id}`,
    )
    assert.equal((await over(begun.body.execution_id)).status, 'completed')
    assert.equal(hook.received.at(-1)?.headers.authorization, 'Bearer after-approval')
    const { items } = (await call('GET', '/audit?q=secret%3Aapi_key')).body
    assert.ok(items.some(({ action }: { action: string }) => action === 'secret.rotate'))
  })

  await t.test('a rehearsal needs no value', async () => {
    const before = hook.received.length
    const made = await write(playbook([posting(authorized)]))
    const done = await run(made, { dry_run: true })
    assert.deepEqual(statuses(done), ['completed'])
    assert.equal(hook.received.length, before)
  })

  await t.test('it is sent to its own hosts only', async () => {
    const host = new URL(hook.url).host
    await store('bound', { hosts: ['api.example.com'] })
    const step = posting({ body: '{{ secrets.bound }}' })
    const refused = await call('POST', '/soar/playbooks', playbook([step]))
    assert.equal(
      refused.body.detail,
      'steps.0.params.url: the secret bound may only be sent to api.example.com',
    )
    await store('bound', { hosts: [host] })
    const made = await write(playbook([step]))
    assert.equal((await run(made)).status, 'completed')
    await store('bound', { hosts: ['api.example.com'] })
    const before = hook.received.length
    assert.match((await run(made)).error ?? '', /may only be sent to api\.example\.com/)
    await soc.query(`UPDATE secrets SET hosts = '{}' WHERE name = 'bound'`)
    assert.match((await run(made)).error ?? '', /secrets\.bound: .*another key file/)
    assert.equal(hook.received.length, before, 'not even for the owner of the database')
  })

  await t.test('one in use cannot be deleted; one that is gone is named', async () => {
    await store('fleeting')
    const made = await write(playbook([posting({ body: '{{ secrets.fleeting }}' })]))
    const refused = await call('DELETE', '/secrets/fleeting')
    assert.equal(refused.status, 409)
    assert.ok(refused.body.detail.includes(made.id))
    const [{ sealed_value } = { sealed_value: '' }] = await soc.query<{ sealed_value: string }>(
      `DELETE FROM secrets WHERE name = 'fleeting' RETURNING sealed_value`,
    )
    const failed = await run(made)
    assert.match(failed.error ?? '', /^post: secrets\.fleeting: is not stored: PUT \/secrets/)
    await store('fleeting', { value: 'another-value' })
    await soc.query(`UPDATE secrets SET sealed_value = $1 WHERE name = 'api_key'`, [sealed_value])
    const { is_readable }: Secret = (await call('GET', '/secrets/api_key')).body
    assert.equal(is_readable, false, 'one secret is not passed off as another')
    await call('DELETE', `/soar/playbooks/${made.id}`)
    assert.equal((await call('DELETE', '/secrets/fleeting')).status, 200)
  })

  await t.test('with another key file it is told which secrets cannot be read', async (t) => {
    const folder = mkdtempSync(path.join(tmpdir(), 'soc-other-key-'))
    t.after(() => rmSync(folder, { recursive: true, force: true }))
    await store('sealed_here')
    const { connection } = soc
    const keyFile = path.join(folder, 'service.key')
    const other = await startTestSoc(t, { connection, keyFile, response: WEBHOOKS_ALLOWED })
    const runs = playbookRuns(other, await other.signIn())
    const { is_readable }: Secret = (await runs.call('GET', '/secrets/sealed_here')).body
    assert.equal(is_readable, false)
    await soc.stop()
    const made = await runs.write(playbook([posting({ body: '{{ secrets.sealed_here }}' })]))
    assert.match(
      (await runs.run(made)).error ?? '',
      /secrets\.sealed_here: .*another key file: put that one back, or name it in SOC_KEY_FILE, or store/,
    )
    await runs.call('PUT', '/secrets/sealed_here', { value: 'stored-again' })
    assert.equal((await runs.run(made)).status, 'completed')
  })
})
