import assert from 'node:assert/strict'
import { test } from 'node:test'
import { gzipSync } from 'node:zlib'
import { keyWith, logsOf } from '../../../../testing/log-sender.ts'
import { startTestSoc } from '../../../../testing/test-soc.ts'

async function elastic(t: Parameters<typeof startTestSoc>[0]) {
  const soc = await startTestSoc(t)
  const key = await keyWith(soc, 'siem:ingest')
  const call = (
    method: 'GET' | 'HEAD' | 'PUT' | 'POST',
    url: string,
    payload?: string | Buffer,
    headers: Record<string, string> = { authorization: `ApiKey ${key}` },
  ) => soc.http.inject({ method, url, headers, ...(payload === undefined ? {} : { payload }) })
  return { soc, key, call }
}

/** Each answer is named after what was asked for. */
const statusesOf = (items: Record<string, { status: number }>[]) =>
  items.map((item) =>
    Object.fromEntries(Object.entries(item).map(([action, { status }]) => [action, status])),
  )

const lines = (...objects: unknown[]) => `${objects.map((one) => JSON.stringify(one)).join('\n')}\n`

// One service for all: each looks for what it sent.
test('what shippers of Elastic send and ask', async (t) => {
  const { soc, key, call } = await elastic(t)

  await t.test(
    'POST /_bulk and /{index}/_bulk store documents under their id and index',
    async () => {
      const body = lines(
        { index: { _index: 'logs-app', _id: 'doc1' } },
        {
          '@timestamp': '2026-01-02T03:04:05Z',
          message: 'first',
          host: { name: 'web1' },
          id: 'not the id',
        },
        { create: {} },
        {
          '@timestamp': '2026-01-02T03:04:04Z',
          message: 'second',
          event: { dataset: 'nginx.access' },
          // As `fields` in the settings of Filebeat.
          fields: { env: 'prod' },
        },
      )
      const reply = (await call('POST', '/default-index/_bulk', body)).json()
      assert.equal(reply.errors, false)
      assert.deepEqual(statusesOf(reply.items), [{ index: 201 }, { create: 201 }])
      assert.equal(reply.items[0].index._id, 'doc1')
      assert.equal(reply.items[0].index._index, 'logs-app')
      assert.equal(reply.items[1].create._index, 'default-index')
      const [first, second] = await logsOf(soc, 'q=message:first OR message:second')
      assert.partialDeepStrictEqual(first, {
        id: 'doc1',
        source: 'logs-app',
        host: 'web1',
        message: 'first',
      })
      assert.equal(first?.fields.id, 'not the id')
      assert.equal(second?.source, 'nginx.access')
      for (const q of ['fields.env:prod', 'env:prod']) {
        assert.deepEqual(await logsOf(soc, `q=${q}`), [second])
      }
      assert.equal((await call('POST', '/_bulk', gzipSync(body), {})).statusCode, 401)
      // As Fluent Bit asks for a pipeline.
      for (const path of ['/_bulk/?pipeline=geo', '/logs-app/_bulk/']) {
        const again = await call('POST', path, lines({ create: {} }, { message: 'third' }))
        assert.equal(again.json().errors, false, path)
      }
    },
  )

  await t.test(
    'POST /_bulk takes a number as an id, so that the same again is not stored twice',
    async () => {
      const body = lines({ index: { _index: 'logs-app', _id: 77 } }, { message: 'once' })
      for (let turn = 0; turn < 2; turn += 1) {
        const reply = (await call('POST', '/_bulk', body)).json()
        assert.equal(reply.items[0].index._id, '77')
      }
      const once = await logsOf(soc, 'q=message:once')
      assert.deepEqual(
        once.map(({ id }) => id),
        ['77'],
      )
    },
  )

  await t.test(
    'POST /_bulk keeps documents of one id in two indices, each once however often they come',
    async () => {
      const body = lines(
        { index: { _index: 'orders', _id: '1' } },
        { message: 'ordered' },
        { create: { _index: 'users', _id: '1' } },
        { message: 'signed up', event: { dataset: 'shop' } },
        { create: { _index: 'guests', _id: '1' } },
        { message: 'came by', event: { dataset: 'shop' } },
      )
      for (let turn = 0; turn < 2; turn += 1) {
        const { items } = (await call('POST', '/_bulk', body)).json()
        assert.deepEqual(statusesOf(items), [{ index: 201 }, { create: 201 }, { create: 201 }])
        assert.deepEqual(
          items.map((item: Record<string, { _id: string }>) => Object.values(item)[0]?._id),
          ['1', '1', '1'],
        )
      }
      const known = await logsOf(soc, 'q=source:orders OR source:shop')
      const stored = known.map(({ id, message }) => [id, message]).sort()
      assert.deepEqual(stored, [
        ['1', 'ordered'],
        ['1@guests', 'came by'],
        ['1@users', 'signed up'],
      ])
      // Alone, and among so many that they travel packed.
      const alone = await call('PUT', '/visits/_create/1', '{"message":"seen"}')
      assert.equal(alone.statusCode, 201)
      assert.equal((await call('PUT', '/visits/_create/1', '{"message":"seen"}')).statusCode, 409)
      const many = (index: string) =>
        lines(
          ...Array.from({ length: 100 }, (_, n) => [
            { create: { _index: index, _id: `${n}` } },
            { message: `${n} of ${index}` },
          ]).flat(),
        )
      for (const index of ['left', 'right', 'left', 'right']) {
        const reply = await call('POST', '/_bulk', many(index))
        assert.equal(reply.json().errors, false)
      }
      const sides = await logsOf(soc, 'q=source:left OR source:right')
      assert.equal(sides.length, 200)
    },
  )

  await t.test(
    'POST /_bulk knows a document that comes again after its index rolled over',
    async () => {
      const send = (index: string, message: string) =>
        call('POST', '/_bulk', lines({ index: { _index: index, _id: 'a' } }, { message, size: 7 }))
      await send('logs-2026.11.16', 'same')
      await send('logs-2026.11.17', 'same')
      assert.deepEqual(
        (await logsOf(soc, 'q=size:7')).map(({ id, source, fields }) => [
          id,
          source,
          fields._index,
        ]),
        [['a', 'logs', 'logs-2026.11.16']],
      )
      // Numbers that begin anew every day.
      await send('logs-2026.11.17', 'another')
      const ids = (await logsOf(soc, 'q=size:7')).map(({ id }) => id).sort()
      assert.deepEqual(ids, ['a', 'a@logs-2026.11.17'])
    },
  )

  await t.test(
    'a document with a field `_index` is of the index it was sent to all the same',
    async () => {
      const typed = { _index: 'typed', shade: 'blue' }
      for (const index of ['mine', 'yours', 'mine', 'yours']) {
        await call('PUT', `/${index}/_doc/typed`, JSON.stringify(typed))
        const inText = { message: JSON.stringify(typed) }
        await call('POST', '/_bulk', lines({ index: { _index: index, _id: 'text' } }, inText))
      }
      const found = await logsOf(soc, 'q=shade:blue')
      assert.deepEqual(found.map(({ id, fields }) => [id, fields._index]).sort(), [
        ['text', 'mine'],
        ['text@yours', 'yours'],
        ['typed', 'mine'],
        ['typed@yours', 'yours'],
      ])
      assert.equal((await logsOf(soc, 'q=event._index:typed')).length, 4)
    },
  )

  await t.test('POST /_bulk knows documents that were stored without their index', async () => {
    await soc.http.inject({
      ...{ method: 'POST', url: '/api/v1/siem/logs', headers: { 'x-api-key': key } },
      payload: { events: [{ id: 'old', source: 'logs-app', message: 'before' }] },
    })
    const again = lines({ index: { _index: 'logs-app', _id: 'old' } }, { message: 'before' })
    await call('POST', '/_bulk', again)
    assert.equal((await logsOf(soc, 'q=message:before')).length, 1)
  })

  await t.test('POST /_bulk reports each document that it cannot take, in its place', async () => {
    const body = `${lines({ index: {} }, { message: 'good' })}{"index":{}}\n{broken\n${lines(
      { delete: { _id: 'x' } },
      { update: { _id: 'x' } },
      { doc: {} },
      { create: {} },
      { message: 'fine' },
      { nonsense: {} },
      { index: {} },
    )}`
    const { errors, items } = (await call('POST', '/_bulk', body)).json()
    assert.equal(errors, true)
    assert.deepEqual(statusesOf(items), [
      { index: 201 },
      { index: 400 },
      { delete: 400 },
      { update: 400 },
      { create: 201 },
      { create: 400 },
      { index: 400 },
    ])
    assert.equal((await logsOf(soc, 'q=message:good OR message:fine')).length, 2)
  })

  await t.test('POST /_bulk that is too much is 413: its shippers send it in halves', async () => {
    const authorization = `ApiKey ${key}`
    const headers = { authorization, 'content-encoding': 'gzip' }
    for (const [body, sent] of [
      [gzipSync(Buffer.alloc(64 * 1024 * 1024 + 1), { level: 1 }), headers],
      [gzipSync('{}\n'.repeat(1_000_001)), headers],
      ['', { authorization, 'content-length': String(64 * 1024 * 1024 + 1) }],
    ] as const) {
      const reply = await call('POST', '/_bulk', body, sent)
      assert.deepEqual([reply.statusCode, reply.json().status], [413, 413])
      assert.match(reply.json().error.reason, /^body: /)
    }
    const wrong = await call('POST', '/_bulk', 'not gzip', headers)
    assert.equal(wrong.statusCode, 400)
  })

  await t.test('keys as ApiKey, plain or as id:key, and as a Basic password', async () => {
    const encoded = Buffer.from(`any:${key}`).toString('base64')
    for (const authorization of [`ApiKey ${key}`, `ApiKey ${encoded}`, `Basic ${encoded}`]) {
      const headers = { authorization, 'content-encoding': 'gzip' }
      const reply = await call('POST', '/_bulk', gzipSync(lines({ index: {} }, { a: 1 })), headers)
      assert.equal(reply.json().errors, false, authorization)
    }
    const refused = await call('POST', '/_bulk', '', { authorization: 'ApiKey wrong' })
    assert.equal(refused.statusCode, 401)
    assert.equal(refused.json().error.type, 'security_exception')
  })

  await t.test('the handshake of its clients, at `/` only for those who are one', async () => {
    const product = await call('GET', '/')
    assert.equal(product.headers['x-elastic-product'], 'Elasticsearch')
    assert.match(product.json().version.number, /^8\./)
    assert.equal((await call('HEAD', '/')).statusCode, 200)
    assert.equal((await call('GET', '/_license')).json().license.status, 'active')
    assert.equal((await call('GET', '/_cat/health')).statusCode, 200)
    assert.equal((await call('HEAD', '/_index_template/logs')).statusCode, 200)
    assert.deepEqual((await call('PUT', '/_ilm/policy/p', '{}')).json(), { acknowledged: true })
    // As clients of OpenSearch do.
    const made = await call('POST', '/_index_template/logs', '{}')
    assert.deepEqual(made.json(), { acknowledged: true })
    const health = await call('GET', '/_cluster/health/logs?wait_for_status=yellow')
    assert.equal(health.json().status, 'green')
    // Those that look for nodes go on with what they find.
    const found = { authorization: `ApiKey ${key}`, host: 'soc.example:8000' }
    for (const path of ['/_nodes/http', '/_nodes/_all/http']) {
      const { nodes } = (await call('GET', path, undefined, found)).json()
      assert.equal(nodes.manara.http.publish_address, 'soc.example:8000', path)
    }

    // Filebeat's modules send nothing where a node lacks what their pipelines use.
    assert.deepEqual((await call('GET', '/_nodes/ingest')).json().nodes, {})

    const page = await soc.http.inject({ url: '/', headers: { accept: 'text/html,*/*' } })
    assert.match(String(page.headers['content-type']), /text\/html/)
    assert.equal((await soc.http.inject('/')).statusCode, 200)
    const stranger = { accept: 'application/vnd.elasticsearch+json' }
    assert.equal((await soc.http.inject({ url: '/', headers: stranger })).statusCode, 401)
  })

  await t.test('POST /{index}/_doc, and with an id, store one document', async () => {
    const made = await call('POST', '/single/_doc', JSON.stringify({ message: 'alone' }))
    assert.equal(made.statusCode, 201)
    assert.partialDeepStrictEqual(made.json(), { _index: 'single', result: 'created' })
    for (const [method, path] of [
      ['PUT', '_doc/one'],
      ['POST', '_doc/one'],
      ['PUT', '_create/two'],
    ] as const) {
      const reply = await call(method, `/single/${path}?refresh=wait_for`, '{"message":"named"}')
      assert.deepEqual(
        [reply.statusCode, reply.json()._id],
        [201, path.slice(path.indexOf('/') + 1)],
      )
    }
    const logs = await logsOf(soc, 'source=single')
    assert.deepEqual(logs.map(({ id }) => id).sort(), [made.json()._id, 'one', 'two'].sort())
    assert.equal(
      (await call('POST', '/slashed/_doc/', '{"message":"named by us"}')).statusCode,
      201,
    )
    const again = await call('PUT', '/single/_create/two', '{"message":"another"}')
    assert.equal(again.statusCode, 409)
    assert.partialDeepStrictEqual(again.json(), {
      ...{ status: 409, error: { type: 'version_conflict_engine_exception', index: 'single' } },
    })
    assert.equal((await logsOf(soc, 'source=single')).length, logs.length)
    for (const body of ['{broken', '[1]', '']) {
      const refused = await call('POST', '/single/_doc', body)
      assert.deepEqual([refused.statusCode, refused.json().status], [400, 400], body)
      assert.match(refused.json().error.reason, /^document: /)
    }
    assert.equal((await call('POST', '/single/_doc', '{}', {})).statusCode, 401)
  })

  await t.test('what clients do around an index is answered as they expect', async () => {
    const json = async (...asked: Parameters<typeof call>) => (await call(...asked)).json()
    assert.deepEqual(await json('PUT', '/logs-app', '{"settings":{}}'), {
      ...{ acknowledged: true, shards_acknowledged: true, index: 'logs-app' },
    })
    for (const path of ['/_refresh', '/logs-app/_refresh', '/logs-app/_flush']) {
      assert.equal((await json('POST', path))._shards.failed, 0, path)
    }
    assert.equal((await call('HEAD', '/logs-app')).statusCode, 200)
    assert.equal((await call('HEAD', '/_alias/filebeat')).statusCode, 200)
    const alias = await json('GET', '/_alias/filebeat')
    assert.equal(alias.filebeat.aliases.filebeat.is_write_index, true)
    for (const [method, path] of [
      ['POST', '/_aliases'],
      ['PUT', '/logs-app/_alias/now'],
      ['PUT', '/logs-app/_mapping'],
      ['PUT', '/logs-app/_settings'],
    ] as const) {
      assert.equal((await json(method, path, '{}')).acknowledged, true, path)
    }
    // A page of the console is not an index.
    const page = await soc.http.inject({ url: '/alerts', headers: { accept: 'text/html' } })
    assert.match(String(page.headers['content-type']), /text/)
  })
})
