import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createHttpEdr } from '../adapters/http-edr.ts'
import { EDR_SECRET, signedHeaders, startReferenceEdr } from '../testing/reference-edr.ts'

const LIST = { method: 'GET', path: '/v1/endpoints' }

test('the reference EDR and its client', async (t) => {
  const edr = await startReferenceEdr(t)
  const client = createHttpEdr({ url: edr.url, secret: async () => EDR_SECRET })
  const get = async (headers: Record<string, string>, { path } = LIST) => {
    const reply = await fetch(edr.url + path, { headers })
    return [reply.status, ((await reply.json()) as { error?: string }).error]
  }

  await t.test('lists its endpoints', async () => {
    const names: string[] = []
    for await (const page of client.endpoints()) names.push(...page.map((one) => one.hostname))
    assert.deepEqual(names, ['fin-ws-07', 'hr-ws-03', 'file-01', 'laptop-11'])
  })

  const REFUSED: [string, Record<string, string>, string][] = [
    ['without a signature', {}, 'unsigned'],
    [
      'signed with another secret',
      signedHeaders(LIST, { secret: 'another secret here' }),
      'wrong_signature',
    ],
    ['signed for another path', signedHeaders({ ...LIST, path: '/v1/x' }), 'wrong_signature'],
    ['signed for another method', signedHeaders({ ...LIST, method: 'POST' }), 'wrong_signature'],
    ['with another body', signedHeaders({ ...LIST, body: '{}' }), 'wrong_body_hash'],
    ['of ten minutes ago', signedHeaders(LIST, { at: Date.now() - 600_000 }), 'stale_timestamp'],
  ]
  for (const [what, headers, error] of REFUSED) {
    await t.test(`a request ${what} is 401`, async () =>
      assert.deepEqual(await get(headers), [401, error]),
    )
  }

  await t.test('an action whose name is no text is answered', async () => {
    const asked = { ...LIST, path: '/v1/actions/%' }
    assert.deepEqual(await get(signedHeaders(asked), asked), [404, 'no_such_route'])
  })

  await t.test('a request sent a second time is 401', async () => {
    const headers = signedHeaders(LIST)
    assert.deepEqual(await get(headers), [200, undefined])
    assert.deepEqual(await get(headers), [401, 'replayed'])
  })

  await t.test('the same order again is the same action, done once', async () => {
    const order = { actionId: 'a-1', endpointId: 'ref-1', command: 'isolate' } as const
    assert.equal((await client.act(order)).status, 'completed')
    assert.equal((await client.act(order)).status, 'completed')
    assert.deepEqual(await edr.stage(), ['isolate fin-ws-07'])
  })

  await t.test('an order for an endpoint that is offline does nothing', async () => {
    const order = { actionId: 'a-2', endpointId: 'ref-4', command: 'isolate' } as const
    assert.equal((await client.act(order)).status, 'offline')
    assert.equal(await client.outcome(order), undefined)
    assert.deepEqual(await edr.stage(), ['isolate fin-ws-07'])
  })

  await t.test('an order for an endpoint it does not know has failed', async () => {
    const order = { actionId: 'a-3', endpointId: 'nobody', command: 'scan' } as const
    const { status, detail } = await client.act(order)
    assert.deepEqual([status, detail], ['failed', 'the EDR refused it: unknown_endpoint'])
  })

  await t.test('what was done outlives the process', async () => {
    await edr.goAway()
    const order = { actionId: 'a-1', endpointId: 'ref-1', command: 'isolate' } as const
    await assert.rejects(client.outcome(order), /cannot be reached/)
    await edr.comeBack()
    assert.equal((await client.outcome(order))?.status, 'completed')
  })

  await t.test('a client with the wrong secret is told to check it', async () => {
    const stranger = createHttpEdr({
      url: edr.url,
      secret: async () => 'not the secret of this EDR',
    })
    const order = { actionId: 'a-1', endpointId: 'ref-1', command: 'isolate' } as const
    await assert.rejects(stranger.outcome(order), /check EDR_SECRET/)
  })
})
