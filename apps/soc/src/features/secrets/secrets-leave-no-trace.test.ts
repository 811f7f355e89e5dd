import assert from 'node:assert/strict'
import { readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { test } from 'node:test'
import { playbookRuns } from '../../testing/playbook-runs.ts'
import { socProcesses } from '../../testing/soc-process.ts'
import { startWebhookServer } from '../../testing/webhook-server.ts'

const VALUE = 'Trace-me-5e1f0c77'
const base64 = Buffer.from(`user:${VALUE}`).toString('base64')

test('the value of a secret is in no table, file, log line or event, also after kill -9', async (t) => {
  const hook = await startWebhookServer(t, (reply, { path, headers, body }) => {
    // As unkind as a target can be: it repeats everything, and fails.
    reply.statusCode = path.endsWith('fail') ? 500 : 200
    reply.end(JSON.stringify({ path, headers, body, base64 }))
  })
  const start = await socProcesses(t, { SOC_LOG: 'debug', SOC_WEBHOOK_ALLOW: '127.0.0.1' })
  const first = await start('one')
  const heard = await listen(first)
  await first.call('PUT', '/secrets/traced', { value: VALUE, description: 'a test' })
  await first.kill()

  const second = await start('one')
  const heardAgain = await listen(second)
  const stored = await second.call('GET', '/secrets/traced')
  assert.equal(stored.body.version, 1, 'acknowledged is kept')
  const call = (method: string, url: string, { body }: { body?: unknown }) =>
    second.call(method, url, body)
  const { write, run } = playbookRuns({ call: call as never }, second.token)
  const post = (id: string, end: string) => ({
    id,
    action: 'http_webhook',
    on_failure: 'continue',
    params: {
      url: `${hook.url}/{{ secrets.traced }}/${end}`,
      headers: { authorization: 'Bearer {{ secrets.traced }}' },
      body: { key: '{{ secrets.traced }}' },
    },
  })
  const undo = { action: 'http_webhook', params: post('undo', 'undo').params }
  const steps = [{ ...post('good', 'good'), undo }, post('bad', 'fail')]
  const done = await run(await write({ steps }))
  assert.equal(hook.received.length, 2)
  assert.ok(hook.received.every(({ body, path }) => body.includes(VALUE) && path.includes(VALUE)))
  await second.call('POST', `/soar/executions/${done.id}/rollback`)
  await heardAgain.until(/execution\.rolled_back/)
  assert.equal(hook.received.length, 3)

  const tables = (await second.query(
    `SELECT table_name AS name FROM information_schema.tables WHERE table_schema = 'public'`,
  )) as { name: string }[]
  assert.ok(tables.length > 50)
  const found: string[] = []
  for (const { name } of tables) {
    const rows = await second.query(`SELECT row_to_json(t)::text AS row FROM "${name}" t`)
    if (leaks(JSON.stringify(rows))) found.push(`table ${name}`)
  }
  if (leaks(heard.text()) || leaks(heardAgain.text())) found.push('events')
  for (const url of [
    `/soar/executions/${done.id}`,
    '/soar/playbooks',
    '/secrets',
    '/audit?limit=200',
  ]) {
    if (leaks(JSON.stringify((await second.call('GET', url)).body))) found.push(url)
  }
  // While it runs, files come and go.
  await second.kill()
  if (leaks(first.output()) || leaks(second.output())) found.push('log')
  for (const file of filesBelow(second.folder)) {
    if (leaks(readFileSync(file, 'latin1'))) found.push(file)
  }
  assert.deepEqual(found, [])
  assert.match(second.output(), /"level"/, 'there is a log to look at')
})

/** As it is, and as the other side wrote it. */
const leaks = (text: string) => text.includes(VALUE) || text.includes(base64)

function filesBelow(folder: string): string[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => path.join(entry.parentPath, entry.name))
}

async function listen({ address, token }: { address: string; token: string }) {
  const reply = await fetch(`${address}/api/v1/events/stream`, {
    headers: { authorization: `Bearer ${token}` },
  })
  assert.equal(reply.status, 200)
  let text = ''
  let wake = () => {}
  void (async () => {
    const decoder = new TextDecoder()
    for await (const chunk of reply.body ?? []) {
      text += decoder.decode(chunk as Uint8Array, { stream: true })
      wake()
    }
  })().catch(() => {})
  return {
    text: () => text,
    async until(pattern: RegExp) {
      while (!pattern.test(text)) {
        await new Promise<void>((resolve) => {
          wake = resolve
        })
      }
    },
  }
}
