import assert from 'node:assert/strict'
import { createServer, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { test } from 'node:test'
import type { Endpoint, EndpointAction } from '@manara/soc-contract/edr'
import { EDR_SECRET } from '../../testing/reference-edr.ts'
import { startTestSoc } from '../../testing/test-soc.ts'
import { until } from '../../testing/until.ts'

type Answer = [status: number, body: object]

const running: Answer = [200, { status: 'running', detail: null }]
const asEver = { status: 'online', order: running, outcome: running }
test('orders that an EDR never ends', async (t) => {
  /** It takes every order and never reports an end, until told otherwise. */
  const edr = {
    ...asEver,
    listed: [] as string[],
    hostname: '',
    cursor: null as string | null,
    more: {},
  }
  // A connection that nobody uses for a while is not closed under who is about to use it again.
  const server = createServer({ keepAliveTimeout: 0 }, (request, reply) => {
    if (request.url === '/v1/endpoints?cursor=broken') return send(reply, [500, {}])
    if (request.url?.startsWith('/v1/endpoints')) {
      return send(reply, [200, { endpoints: edr.listed.map(reported), next_cursor: edr.cursor }])
    }
    send(reply, request.method === 'POST' ? edr.order : edr.outcome)
  }).listen(0, '127.0.0.1')
  await new Promise((resolve) => server.once('listening', resolve))
  t.after(() => server.close())
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const soc = await startTestSoc(t, { edr: { url, secret: EDR_SECRET, pollMs: 50 } })
  const as = await soc.signIn()

  function reported(id: string) {
    return {
      ...{ id, hostname: edr.hostname, ips: [], os: { name: null, version: null, arch: null } },
      ...{ agent_version: '1', status: edr.status, isolation: 'none', labels: [] },
      last_seen_at: new Date().toISOString(),
      ...edr.more,
    }
  }

  function send(reply: ServerResponse, [status, body]: Answer) {
    reply.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body))
  }

  const untilBroken = () =>
    until('the error', async () => {
      const { adapter } = (await soc.call('GET', '/edr/stats', { as })).body
      return /answered 500/.test(adapter.last_error)
    })

  /** The only one that the EDR lists, and that no other test has. */
  async function endpointNamed(hostname: string) {
    Object.assign(edr, { ...asEver, hostname, listed: [`agent of ${hostname}`] })
    const named = async (): Promise<Endpoint[]> =>
      (await soc.call('GET', `/edr/endpoints?hostname=${hostname}`, { as })).body.items
    await until('the inventory', async () => (await named()).length === 1)
    const [{ id } = { id: '' }] = await named()
    const order = async (command: string) =>
      soc.call('POST', `/edr/endpoints/${id}/${command}`, { as })
    const receipt = async ({ action_id }: EndpointAction): Promise<EndpointAction> =>
      (await soc.call('GET', `/edr/actions/${action_id}`, { as })).body
    const becomes = (action: EndpointAction, status: string) =>
      until(status, async () => (await receipt(action)).status === status)
    const one = async () => (await soc.call('GET', `/edr/endpoints/${id}`, { as })).body as Endpoint
    return { order, receipt, becomes, one }
  }

  await t.test(
    'an order that the EDR took and never ends is failed after a day, and can be given again',
    async () => {
      const { order, receipt, becomes, one } = await endpointNamed('lap-1')
      const { body: isolate } = await order('isolate')
      await becomes(isolate, 'sent')
      await soc.query(`UPDATE edr_actions SET sent_at = now() - interval '23 hours'`)
      const { attempts } = await receipt(isolate)
      await until('it is asked again', async () => (await receipt(isolate)).attempts > attempts + 1)
      assert.equal((await receipt(isolate)).status, 'sent')
      // Forgotten and taken again: that is no new day.
      edr.outcome = [404, { error: 'no_such_action' }]
      await soc.query(`UPDATE edr_actions SET sent_at = now() - interval '25 hours'`)
      await becomes(isolate, 'failed')
      assert.match((await receipt(isolate)).detail ?? '', /no end within 24 hours/)
      assert.equal((await one()).isolation, 'none')
      const again = await order('isolate')
      assert.equal(again.status, 201)
      await becomes(again.body, 'sent')
    },
  )

  await t.test(
    'an order for an agent that the EDR no longer lists ends with what the EDR says',
    async () => {
      const { order, receipt, becomes, one } = await endpointNamed('lap-2')
      // The machine was set up anew: it is another agent of the same name.
      edr.listed = ['another agent of lap-2']
      await until('offline', async () => (await one()).status === 'offline')
      edr.order = [409, { error: 'endpoint_offline' }]
      const { body: isolate } = await order('isolate')
      await until('the word of the EDR', async () =>
        /offline/.test((await receipt(isolate)).detail ?? ''),
      )
      assert.equal((await receipt(isolate)).status, 'queued')
      const release = await order('unisolate')
      assert.equal(release.body.detail, 'the isolation was withdrawn before it was sent')
      edr.order = [404, { error: 'no_such_endpoint' }]
      const { body: scan } = await order('scan')
      await becomes(scan, 'failed')
      assert.match((await receipt(scan)).detail ?? '', /no_such_endpoint/)
    },
  )

  await t.test(
    'an order that may have reached the EDR is cleared up though the endpoint went offline',
    async () => {
      const { order, receipt, becomes, one } = await endpointNamed('lap-3')
      edr.order = [500, { error: 'try_later' }]
      const { body: isolate } = await order('isolate')
      await until('an attempt', async () => (await receipt(isolate)).attempts > 0)
      edr.status = 'offline'
      await until('offline', async () => (await one()).status === 'offline')
      edr.order = [409, { error: 'endpoint_offline' }]
      await until('not sent', async () => (await receipt(isolate)).attempts === 0)
      assert.equal((await order('unisolate')).status, 201)
      await becomes(isolate, 'cancelled')
    },
  )

  await t.test('an order ends as the EDR says, however it words that', async () => {
    const { order, receipt, becomes, one } = await endpointNamed('lap-5')
    edr.order = [422, { error: 'not\0today\ud800' }]
    const { body: isolate } = await order('isolate')
    await becomes(isolate, 'failed')
    assert.equal((await receipt(isolate)).detail, 'the EDR refused it: not\ufffdtoday\ufffd')
    // Its inventory would say at once that nothing is isolated.
    edr.cursor = 'broken'
    await untilBroken()
    edr.order = [200, { status: 'completed', detail: `\0${'long '.repeat(1_000)}` }]
    await becomes((await order('isolate')).body, 'completed')
    assert.equal((await one()).isolation, 'isolated')
    edr.cursor = null
  })

  await t.test(
    'a machine that says odd things of itself keeps no other from being read',
    async () => {
      const many = Array.from({ length: 300 }, (_, n) => `10.0.0.${n}\0`)
      edr.more = { ips: many, labels: many, agent_version: 'v'.repeat(9_000), hostname: '  ' }
      edr.listed = ['an odd agent']
      const named = async () =>
        (await soc.call('GET', '/edr/endpoints?hostname=an odd agent', { as })).body.items
      await until('it is read', async () => (await named()).length === 1)
      const [{ ips, labels, agent_version }] = await named()
      assert.deepEqual([ips.length, labels[0], agent_version.length], [100, '10.0.0.0\ufffd', 255])
      edr.more = {}
    },
  )

  await t.test('an inventory that breaks off leaves nothing behind', async () => {
    Object.assign(edr, { hostname: 'lap-4', listed: ['agent of lap-4'], cursor: 'broken' })
    await untilBroken()
    const { items } = (await soc.call('GET', '/edr/endpoints?hostname=lap-4', { as })).body
    assert.deepEqual(items, [])
  })
})
