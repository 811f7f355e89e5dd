import assert from 'node:assert/strict'
import { test } from 'node:test'
import { keyWith, logsOf } from '../../../testing/log-sender.ts'
import { startTestSoc, type TestSoc } from '../../../testing/test-soc.ts'
import { until } from '../../../testing/until.ts'

const PARSER = {
  name: 'Doors',
  source: 'door',
  definition: {
    kind: 'grok',
    pattern: 'door %{WORD:door} opened by %{USER:user} from %{IP:src_ip}',
  },
  samples: [
    {
      text: 'door north opened by leila from 192.0.2.1',
      expect: { door: 'north', user: 'leila', src_ip: '192.0.2.1' },
    },
    { text: 'window opened', expect: {} },
  ],
}

async function withSender(soc: TestSoc) {
  const key = await keyWith(soc, 'siem:ingest')
  let count = 0
  return async (message: string, source = 'door') => {
    count += 1
    const id = `event-${count}`
    const body = { events: [{ id, source, message }] }
    await soc.call('POST', '/siem/logs', { headers: { 'x-api-key': key }, body })
    return (await logsOf(soc, `source=${source}`)).find((log) => log.id === id)
  }
}

test('a parser of one’s own: saved, previewed, switched on, improved, switched off, deleted', async (t) => {
  const soc = await startTestSoc(t)
  const as = await soc.signInAs('detection_engineer')
  const send = await withSender(soc)
  const call = (method: string, path: string, body?: unknown) =>
    soc.call(method, `/siem/parsers${path}`, { as, ...(body === undefined ? {} : { body }) })
  const line = 'door south opened by omar from 192.0.2.9'
  const before = await send(line)
  assert.equal(before?.user, null)

  const { status, body: made } = await call('POST', '', PARSER)
  assert.equal(status, 201)
  assert.partialDeepStrictEqual(made, { enabled: false, version: 1, enabled_version: null })
  assert.ok(made.sample_results.every(({ passed }: { passed: boolean }) => passed))

  await t.test('the preview tells what would be read and what would be different', async () => {
    await send('somebody knocked')
    const { body } = await call('POST', `/${made.id}/preview`, {})
    assert.partialDeepStrictEqual(body, { looked_at: 2, read: 1, share: 0.5, changed: 1 })
    const [missed, read] = body.events
    assert.deepEqual([missed.message, missed.read], ['somebody knocked', false])
    assert.deepEqual(
      read.changes.find(({ field }: { field: string }) => field === 'user'),
      { field: 'user', before: null, after: 'omar' },
    )
    const draft = { source: 'door', definition: { kind: 'dissect', pattern: '%{who} knocked' } }
    assert.equal((await call('POST', '/preview', draft)).body.read, 1)
    assert.equal((await send(line))?.user, null, 'a preview switches nothing on')
  })

  await t.test('switched on it reads what comes from then on, and is counted', async () => {
    const { body } = await call('POST', `/${made.id}/enable`)
    assert.equal(body.enabled_version, 1)
    const log = await send(line)
    assert.partialDeepStrictEqual(log, {
      ...{ user: 'omar', src_ip: '192.0.2.9', message: line },
      fields: { door: 'south', _parser: `own:${made.id}` },
    })
    const unread = await send('somebody knocked again')
    assert.equal(unread?.fields._parser, undefined)
    await until('it is counted', async () => {
      const { body: list } = await call('GET', '?origin=own')
      return list.items[0].events_24h > 0 && list.unread.sources[0]?.examples.length > 0
    })
    const { body: list } = await call('GET', '')
    assert.partialDeepStrictEqual(list.items[0], { id: `own:${made.id}`, name: 'Doors' })
    assert.ok(list.total > 5 && list.unread.events_24h >= 2)
  })

  await t.test(
    'a new version reads only when it is switched on, and not if its samples fail',
    async () => {
      const definition = { kind: 'grok', pattern: 'door %{WORD:gate} opened' }
      const changed = await call('PATCH', `/${made.id}`, { definition })
      assert.partialDeepStrictEqual(changed.body, { version: 2, enabled_version: 1 })
      assert.equal((await send(line))?.fields.door, 'south')
      const refused = await call('POST', `/${made.id}/enable`)
      assert.equal(refused.status, 400)
      assert.match(
        refused.body.detail ?? refused.body.message ?? JSON.stringify(refused.body),
        /samples\[0\].*door/,
      )
      const samples = [{ text: line, expect: { gate: 'south' } }]
      await call('PATCH', `/${made.id}`, { samples })
      assert.equal((await call('POST', `/${made.id}/enable`)).body.enabled_version, 3)
      assert.equal((await send(line))?.fields.gate, 'south')
      const { body } = await call('GET', `/${made.id}/versions`)
      assert.deepEqual(
        body.items.map(({ version }: { version: number }) => version),
        [3, 2, 1],
      )
      assert.equal(
        (await call('POST', `/${made.id}/enable`, { version: 1 })).body.enabled_version,
        1,
      )
      assert.equal((await send(line))?.fields.door, 'south')
    },
  )

  await t.test('switched off it reads nothing, and can be deleted', async () => {
    assert.equal((await call('DELETE', `/${made.id}`)).status, 409)
    await call('POST', `/${made.id}/disable`)
    assert.equal((await send(line))?.user, null)
    assert.equal((await call('DELETE', `/${made.id}`)).status, 200)
    assert.equal((await call('GET', `/${made.id}`)).status, 404)
    assert.equal((await call('POST', '/nobody/enable', { version: 1 })).status, 404)
    const rows = await soc.query<{ action: string }>(
      `SELECT DISTINCT action FROM audit_log WHERE action LIKE 'parser.%' ORDER BY action`,
    )
    assert.deepEqual(
      rows.map(({ action }) => action),
      ['create', 'delete', 'disable', 'enable', 'update'].map((word) => `parser.${word}`),
    )
  })
})

test('another process reads with a parser as soon as it is switched on, also one that starts later', async (t) => {
  const soc = await startTestSoc(t)
  const as = await soc.signIn()
  const other = await startTestSoc(t, { connection: soc.connection })
  const { body: made } = await soc.call('POST', '/siem/parsers', { as, body: PARSER })
  await soc.call('POST', `/siem/parsers/${made.id}/enable`, { as })
  for (const process of [other, await startTestSoc(t, { connection: soc.connection })]) {
    const send = await withSender(process)
    await until(
      'it reads',
      async () => (await send(PARSER.samples[0]?.text ?? ''))?.user === 'leila',
    )
  }
})

test('what cannot be a parser is refused with the place that is wrong', async (t) => {
  const soc = await startTestSoc(t)
  const as = await soc.signIn()
  const post = (body: object) => soc.call('POST', '/siem/parsers', { as, body })
  for (const [body, why] of [
    [{ ...PARSER, definition: { kind: 'grok', pattern: '%{NOBODY:a}' } }, /definition.*NOBODY/],
    [{ ...PARSER, definition: { kind: 'grok', pattern: '(?<a>x(?=y))' } }, /definition/],
    [{ ...PARSER, definition: { kind: 'magic' } }, /definition/],
    [{ ...PARSER, samples: [] }, /samples/],
    [{ ...PARSER, source: '' }, /source/],
  ] as const) {
    const { status, body: answer } = await post(body)
    assert.deepEqual(
      [status, why.test(JSON.stringify(answer))],
      [400, true],
      JSON.stringify(answer),
    )
  }
  const viewer = await soc.signInAs('viewer')
  assert.equal((await soc.call('GET', '/siem/parsers', { as: viewer })).status, 200)
  const refused = await soc.call('POST', '/siem/parsers', { as: viewer, body: PARSER })
  assert.equal(refused.status, 403)
})
