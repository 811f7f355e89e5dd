import assert from 'node:assert/strict'
import { test } from 'node:test'
import { AppError } from '@manara/kit/errors'
import { addressKind } from '@manara/kit/outgoing/addresses'
import { startWebhookServer } from '../testing/webhook-server.ts'
import { createWebhookCaller } from './guarded-webhook.ts'

const never = new AbortController().signal
const call = (url: string) => ({ url, method: 'POST' as const, headers: {}, body: '{}' })

for (const address of [
  '127.0.0.1',
  '10.1.2.3',
  '172.31.255.255',
  '192.168.0.1',
  '169.254.169.254',
  '100.64.0.1',
  '0.0.0.0',
  '224.0.0.1',
  '255.255.255.255',
  '::1',
  '::',
  'fe80::1',
  'fd00::1',
  'ff02::1',
  '::ffff:127.0.0.1',
  '::ffff:a00:1',
  '64:ff9b::7f00:1',
  '2002:7f00:1::',
  '::7f00:1',
]) {
  test(`${address} is not called`, () => assert.ok(addressKind(address)))
}

for (const address of [
  '1.1.1.1',
  '93.184.216.34',
  '172.32.0.1',
  '2606:4700::1111',
  '::ffff:1.1.1.1',
]) {
  test(`${address} may be called`, () => assert.equal(addressKind(address), undefined))
}

const refusesWith = (pattern: RegExp) => (error: unknown) =>
  error instanceof AppError && pattern.test(error.message)

test('every spelling of a private address is refused, and nothing arrives', async (t) => {
  const server = await startWebhookServer(t)
  const callWebhook = createWebhookCaller({ allow: [] })
  for (const host of [
    '127.0.0.1',
    'localhost',
    '2130706433',
    '0x7f.1',
    '0177.0.0.1',
    '127.1',
    '[::1]',
    '[::ffff:127.0.0.1]',
    '127.0.0.1.',
  ]) {
    const url = `http://${host}:${server.port}/`
    await assert.rejects(callWebhook(call(url), never), AppError, host)
  }
  assert.equal(server.received.length, 0)
})

test('SOC_WEBHOOK_ALLOW names hosts, addresses, networks and single ports', async (t) => {
  const server = await startWebhookServer(t)
  const { url, port } = server
  for (const [allow, isAllowed] of [
    [['127.0.0.1'], true],
    [['127.0.0.0/8'], true],
    [[`127.0.0.1:${port}`], true],
    [['127.0.0.1:1'], false],
    [['10.0.0.0/8', 'localhost'], false],
  ] as const) {
    const calling = createWebhookCaller({ allow })(call(url), never)
    if (isAllowed) assert.deepEqual(await calling, { status: 200, body: '{"ok":true}' })
    else await assert.rejects(calling, refusesWith(/SOC_WEBHOOK_ALLOW/))
  }
  const byName = createWebhookCaller({ allow: ['localhost'] })
  assert.equal((await byName(call(`http://localhost:${port}/`), never)).status, 200)
})

test('one private address among those of a name is enough to refuse it', async (t) => {
  const server = await startWebhookServer(t)
  const callWebhook = createWebhookCaller({
    allow: [],
    resolve: async () => [
      { address: '93.184.216.34', family: 4 },
      { address: '127.0.0.1', family: 4 },
    ],
  })
  const url = `http://mixed.example:${server.port}/`
  await assert.rejects(callWebhook(call(url), never), refusesWith(/not a public/))
  assert.equal(server.received.length, 0)
})

test('the connection goes to the address that was checked, whatever the name says then', async (t) => {
  const server = await startWebhookServer(t)
  let asked = 0
  const callWebhook = createWebhookCaller({
    allow: ['hooks.example'],
    async resolve() {
      asked += 1
      return [{ address: '127.0.0.1', family: 4 }]
    },
  })
  await callWebhook(call(`http://hooks.example:${server.port}/x`), never)
  assert.equal(asked, 1)
  assert.equal(server.received[0]?.headers.host, `hooks.example:${server.port}`)
})

test('a redirect is not followed', async (t) => {
  const secret = await startWebhookServer(t)
  const server = await startWebhookServer(t, (reply) => {
    reply.writeHead(307, { location: secret.url })
    reply.end()
  })
  const callWebhook = createWebhookCaller({ allow: [`127.0.0.1:${server.port}`] })
  assert.equal((await callWebhook(call(server.url), never)).status, 307)
  assert.equal(secret.received.length, 0)
})

test('nobody there is known not to have been reached; a line that breaks is not', async (t) => {
  const server = await startWebhookServer(t, (reply) => reply.destroy())
  const callWebhook = createWebhookCaller({ allow: ['127.0.0.1'] })
  await assert.rejects(callWebhook(call('http://127.0.0.1:1/'), never), refusesWith(/ECONNREFUSED/))
  await assert.rejects(
    callWebhook(call(server.url), never),
    (error: unknown) => !(error instanceof AppError),
  )
})

test('a password in the address and other protocols are refused', async () => {
  const callWebhook = createWebhookCaller({ allow: [] })
  for (const url of ['ftp://example.com/', 'file:///etc/passwd', 'http://a:b@example.com/', 'x']) {
    await assert.rejects(callWebhook(call(url), never), refusesWith(/^url: /))
  }
})

test('a long answer is cut', async (t) => {
  const server = await startWebhookServer(t, (reply) => reply.end('x'.repeat(1_000_000)))
  const callWebhook = createWebhookCaller({ allow: ['127.0.0.1'] })
  assert.equal((await callWebhook(call(server.url), never)).body.length, 64 * 1024)
})
