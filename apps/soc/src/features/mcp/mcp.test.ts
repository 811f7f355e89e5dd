import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import type { ToolEnvelope } from '@manara/soc-contract/tools'
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client'
import { Client as OldClient } from '@modelcontextprotocol/sdk/client/index.js'
import { StreamableHTTPClientTransport as OldTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js'
import { keyWith } from '../../testing/log-sender.ts'
import { startTestSoc } from '../../testing/test-soc.ts'

const SCOPES = ['alerts:read', 'cases:read', 'cases:write', 'siem:read'] as const

async function listening(t: TestContext, options = {}) {
  const soc = await startTestSoc(t, options)
  const address = await soc.http.listen({ host: '127.0.0.1', port: 0 })
  const key = await keyWith(soc, ...SCOPES)
  const url = new URL('/mcp', address)
  const post = (headers: Record<string, string>, body: unknown = LIST) =>
    fetch(url, {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        accept: 'application/json, text/event-stream',
        ...headers,
      },
      body: JSON.stringify(body),
    })
  return { soc, url, key, post }
}

const LIST = { jsonrpc: '2.0', id: 1, method: 'tools/list' }
const envelope = (answer: { structuredContent?: unknown }) =>
  answer.structuredContent as ToolEnvelope

for (const era of ['of today', 'of 2025'] as const) {
  test(`a client ${era} lists and calls with its key`, async (t) => {
    const { soc, url, key } = await listening(t)
    const requestInit = { headers: { authorization: `Bearer ${key}` } }
    const info = { name: 'assistant', version: '1' }
    const client = era === 'of 2025' ? new OldClient(info) : new Client(info)
    const transport =
      era === 'of 2025'
        ? new OldTransport(url, { requestInit })
        : new StreamableHTTPClientTransport(url, { requestInit })
    await client.connect(transport as never)
    t.after(() => client.close())

    const { tools } = await client.listTools()
    const names = tools.map(({ name }) => name)
    assert.ok(names.includes('create_case') && names.includes('search_logs'), String(names))
    assert.ok(!names.includes('execute_playbook'), 'a tool that this key may not call is shown')
    const hints = tools.find(({ name }) => name === 'search_logs')?.annotations
    assert.deepEqual([hints?.readOnlyHint, hints?.destructiveHint], [true, false])

    const made = envelope(
      (await client.callTool({ name: 'create_case', arguments: { title: 'From afar' } })) as never,
    )
    assert.deepEqual([made.status, made.error_code], ['open', null])
    const as = await soc.signIn()
    const stored = await soc.call('GET', `/cases/${made.case_id}`, { as })
    assert.equal(stored.body.title, 'From afar')

    const wrong = await client.callTool({ name: 'create_case', arguments: { title: 5 } })
    assert.equal(wrong.isError, true)
    const told = envelope(wrong as never)
    assert.deepEqual([told.status, told.error_code], ['error', 'INVALID_ARGUMENT'])
    assert.match(String(told.error), /^title: /)

    const denied = await client.callTool({
      name: 'execute_playbook',
      arguments: { playbook_id: 'isolate-host', alert_id: 'x' },
    })
    assert.equal(envelope(denied as never).error_code, 'PERMISSION_DENIED')
    await assert.rejects(client.callTool({ name: 'format_disk', arguments: {} }), /unknown tool/)

    const { body } = await soc.call('GET', '/audit?action=tool.create_case', { as })
    assert.equal(body.total, 2)
  })
}

test('who may come in: a key or a token, from our own host and pages', async (t) => {
  const { soc, url, key, post } = await listening(t)
  const none = await post({})
  assert.equal(none.status, 401)
  assert.match(String(none.headers.get('www-authenticate')), /^Bearer /)
  assert.equal((await post({ 'x-api-key': 'soc_wrong' })).status, 401)
  assert.equal((await post({ 'x-api-key': key })).status, 200)
  assert.equal((await post({ authorization: `Bearer ${await soc.signIn()}` })).status, 200)
  assert.equal((await post({ 'x-api-key': key, origin: 'http://evil.example' })).status, 403)
  assert.equal((await post({ 'x-api-key': key, origin: url.origin })).status, 200)
  const named = await soc.http.inject({
    method: 'POST',
    url: '/mcp',
    headers: { host: 'evil.example', 'x-api-key': key },
    payload: LIST,
  })
  assert.equal(named.statusCode, 403)
  for (const method of ['GET', 'DELETE']) {
    const reply = await fetch(url, { method, headers: { 'x-api-key': key } })
    assert.equal(reply.status, 405)
    await reply.body?.cancel()
  }
})

test('arguments that are nested without end are 400, and as a tool INVALID_ARGUMENT', async (t) => {
  const { soc, key } = await listening(t)
  const deep = `${'{"a":'.repeat(20_000)}1${'}'.repeat(20_000)}`
  const headers = { host: 'localhost', 'x-api-key': key, 'content-type': 'application/json' }
  const send = (url: string, payload: string) =>
    soc.http.inject({ method: 'POST', url, headers, payload })
  const call = `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"create_case","arguments":${deep}}}`
  const refused = await send('/mcp', call)
  assert.equal(refused.statusCode, 400)
  assert.equal(refused.json().detail, 'body: is nested more than 64 deep')
  const told = await send('/api/v1/agents/Triage/tools/create_case', `{"arguments":${deep}}`)
  assert.deepEqual([told.statusCode, told.json().error_code], [200, 'INVALID_ARGUMENT'])
  const [audited] = (
    await soc.call('GET', '/audit?action=tool.create_case', { as: await soc.signIn() })
  ).body.items
  assert.equal(audited.after.arguments, 'nested more than 64 deep')
})

test('more calls in a minute than the limit are 429 with Retry-After; a batch counts each', async (t) => {
  const { key, post } = await listening(t, { rates: { mcp: 4 } })
  const headers = { 'x-api-key': key }
  assert.equal((await post(headers)).status, 200)
  const batch = await post(headers, [LIST, LIST, LIST])
  await batch.body?.cancel()
  const over = await post(headers)
  assert.equal(over.status, 429)
  assert.ok(Number(over.headers.get('retry-after')) > 0)
})

test('addresses of one IPv6 network share the limit of calls', async (t) => {
  const { key, post } = await listening(t, { rates: { mcp: 2 }, trustedProxies: ['127.0.0.1'] })
  const from = async (address: string) => {
    const reply = await post({ 'x-api-key': key, 'x-forwarded-for': address })
    await reply.body?.cancel()
    return reply.status
  }
  for (const n of [1, 2]) assert.equal(await from(`2001:db8:1:2::${n}`), 200)
  assert.equal(await from('2001:db8:1:2::3'), 429)
  assert.equal(await from('2001:db8:1:3::1'), 200)
})

test('X-Agent-Id is for service accounts: an unknown agent is told', async (t) => {
  const { key, post } = await listening(t)
  const call = { name: 'list_alerts', arguments: {} }
  const body = { jsonrpc: '2.0', id: 1, method: 'tools/call', params: call }
  const codeOf = async (agent: string) => {
    const reply = await post({ 'x-api-key': key, 'x-agent-id': agent }, body)
    return /"error_code":("\w+"|null)/.exec(await reply.text())?.[1]
  }
  assert.equal(await codeOf('Triage'), 'null')
  assert.equal(await codeOf('agent-099'), '"NOT_FOUND"')
})
