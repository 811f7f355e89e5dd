import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { createServer, request } from 'node:http'
import type { AddressInfo } from 'node:net'
import { type TestContext, test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { createHttp } from '@manara/kit/http'
import { rememberCaller } from '../../core/identity/caller.ts'
import type { Principal } from '../../core/identity/principal.ts'
import type { Tools } from '../../core/tools/tool.ts'
import { keyWith } from '../../testing/log-sender.ts'
import { startTestSoc } from '../../testing/test-soc.ts'
import { mcpRoutes } from './mcp.routes.ts'

const SUITE = fileURLToPath(import.meta.resolve('@modelcontextprotocol/conformance/dist/index.js'))

/** The suite cannot send a key: it talks to this, which adds one and changes nothing else. */
async function withKey(t: TestContext, port: number, key: string): Promise<number> {
  const forwarder = createServer((incoming, outgoing) => {
    const { method = 'GET', url = '/', headers } = incoming
    const onwards = request(
      { host: '127.0.0.1', port, method, path: url, headers: { ...headers, 'x-api-key': key } },
      (reply) => {
        outgoing.writeHead(reply.statusCode ?? 502, reply.headers)
        reply.pipe(outgoing)
      },
    )
    onwards.on('error', () => outgoing.destroy())
    incoming.pipe(onwards)
  })
  await new Promise<void>((ready) => forwarder.listen(0, '127.0.0.1', ready))
  t.after(() => {
    forwarder.closeAllConnections()
    forwarder.close()
  })
  return (forwarder.address() as AddressInfo).port
}

async function passes(port: number, scenario: string) {
  const url = `http://localhost:${port}/mcp`
  const child = spawn(process.execPath, [SUITE, 'server', '--url', url, '--scenario', scenario])
  let said = ''
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding('utf8')
    stream.on('data', (text: string) => {
      said += text
    })
  }
  const code = await new Promise((ended) => child.on('close', ended))
  assert.equal(code, 0, said)
  assert.match(said, /Passed: [1-9]\d*\/\d+, 0 failed/)
}

test('the service passes the conformance suite', async (t) => {
  const soc = await startTestSoc(t)
  const address = await soc.http.listen({ host: '127.0.0.1', port: 0 })
  const port = await withKey(t, Number(new URL(address).port), await keyWith(soc, 'alerts:read'))
  for (const scenario of ['server-initialize', 'ping', 'tools-list', 'dns-rebinding-protection']) {
    await t.test(scenario, () => passes(port, scenario))
  }
})

test('calls pass the conformance suite, with the tools it asks for', async (t) => {
  const http = createHttp({ envelope: (detail) => ({ detail }), bodyLimit: 1024 * 1024 })
  http.addHook('onRequest', async (incoming) => {
    const principal: Principal = {
      username: 'suite',
      role: 'service',
      permissions: new Set(),
      kind: 'api_key',
    }
    rememberCaller(incoming, {
      session: { principal, id: 'suite', expiresAt: 0 },
      credential: { kind: 'key', value: '' },
    })
  })
  mcpRoutes(http, { tools: suiteTools, version: '1', hostNames: [], limitAddress: async () => {} })
  await http.listen({ host: '127.0.0.1', port: 0 })
  t.after(() => http.close())
  const { port } = http.server.address() as AddressInfo
  for (const scenario of ['tools-call-simple-text', 'tools-call-error']) {
    await t.test(scenario, () => passes(port, scenario))
  }
})

const suiteTools: Tools = {
  list: () =>
    ['test_simple_text', 'test_error_handling'].map((name) => ({
      name,
      title: name,
      description: 'for the suite',
      effect: 'reads',
      permissions: [],
      budget_ms: 1_000,
      input_schema: { type: 'object' },
    })),
  call: async (name) =>
    name === 'test_simple_text'
      ? { status: 'ok', error_code: null, error: null }
      : { status: 'error', error_code: 'CONFLICT', error: 'as the suite wants it' },
}
