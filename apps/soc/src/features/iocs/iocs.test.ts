import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Ioc } from '@manara/soc-contract/iocs'
import { startTestSoc } from '../../testing/test-soc.ts'

const EVIL = { value: 'hxxp://Evil[.]example/a', score: 80, tags: ['apt'], sources: ['feed-1'] }

test('POST /iocs', async (t) => {
  const soc = await startTestSoc(t)
  const as = await soc.signInAs('analyst')
  const post = (body: object) => soc.call('POST', '/iocs', { as, body })

  await t.test(
    'is 201 with every field, the type recognised and the value normalised',
    async () => {
      const { status, body } = await post(EVIL)
      const { id, created_at, updated_at, valid_from, lookback, ...rest } = body
      assert.equal(status, 201)
      assert.ok(id && created_at && updated_at && valid_from)
      assert.ok(['pending', 'done'].includes(lookback))
      assert.deepEqual(rest, {
        type: 'url',
        value: 'http://evil.example/a',
        score: 80,
        effective_score: 80,
        tlp: 'amber',
        valid_until: null,
        revoked: false,
        sources: ['feed-1'],
        tags: ['apt'],
        description: null,
        sightings: 0,
        unrecorded_sightings: 0,
        first_sighted_at: null,
        last_sighted_at: null,
        created_by: 'analyst',
      })
    },
  )

  await t.test('what would match nearly everything is 400', async () => {
    for (const value of ['0.0.0.0/1', '::/1', '10.0.0.0/8', 'co.uk', '127.0.0.1', 'localhost']) {
      const { status, body } = await post({ value })
      assert.equal(status, 400, value)
      assert.match(body.detail, /^value: is /, value)
    }
    assert.equal((await post({ value: '10.1.2.3' })).status, 201)
  })

  await t.test('the same again, spelled otherwise, is 200 and merged', async () => {
    const { status, body } = await post({
      value: 'http://evil.example:80/a#top',
      score: 60,
      tlp: 'red',
      sources: ['feed-2'],
      tags: ['apt', 'c2'],
    })
    assert.equal(status, 200)
    assert.deepEqual(body.sources.sort(), ['feed-1', 'feed-2'])
    assert.deepEqual(body.tags.sort(), ['apt', 'c2'])
    assert.deepEqual([body.score, body.tlp], [80, 'red'])
  })

  await t.test(
    'the score of an old one is what is left of it, or the new one if higher',
    async () => {
      await soc.query("UPDATE iocs SET scored_at = now() - interval '60 days'")
      const { body } = await post({ value: EVIL.value, score: 30 })
      assert.deepEqual([body.score, body.effective_score], [30, 30])
      await soc.query("UPDATE iocs SET scored_at = now() - interval '30 days'")
      const older = await post({ value: EVIL.value, score: 10 })
      assert.deepEqual([older.body.score, older.body.effective_score], [15, 15])
    },
  )

  for (const [body, field] of [
    [{ value: 'no indicator' }, 'value'],
    [{ type: 'ip', value: 'evil.example' }, 'value'],
    [{ type: 'mutex', value: 'x' }, 'type'],
    [{ value: '192.0.2.1', score: 101 }, 'score'],
    [{ value: '192.0.2.1', score: '50' }, 'score'],
    [{ value: '192.0.2.1', tlp: 'purple' }, 'tlp'],
    [{ value: '192.0.2.1', valid_until: '2020-01-01T00:00:00Z' }, 'valid_until'],
    [{ value: '192.0.2.1', colour: 'red' }, 'colour'],
    [{}, 'value'],
  ] as const) {
    await t.test(`${JSON.stringify(body)} is 400 and names ${field}`, async () => {
      const reply = await post(body)
      assert.equal(reply.status, 400)
      assert.ok(reply.body.detail.startsWith(`${field}: `), reply.body.detail)
    })
  }

  await t.test('is for analysts and for keys with iocs:write', async () => {
    const viewer = await soc.signInAs('viewer')
    const refused = await soc.call('POST', '/iocs', { as: viewer, body: { value: '192.0.2.9' } })
    assert.equal(refused.status, 403)
    const admin = await soc.signIn()
    const { body: key } = await soc.call('POST', '/users/analyst/api-keys', {
      as: admin,
      body: { name: 'feed', scopes: ['iocs:write'] },
    })
    const headers = { 'x-api-key': key.key ?? key.api_key }
    const taken = await soc.call('POST', '/iocs', { headers, body: { value: '192.0.2.9' } })
    assert.equal(taken.status, 201)
  })

  await t.test('modes: dummy refuses, dry_run shows and stores nothing', async (t) => {
    const { total } = (await soc.call('GET', '/iocs', { as })).body
    const dry = await startTestSoc(t, { mode: 'dry_run', connection: soc.connection })
    const shown = await dry.call('POST', '/iocs', { as, body: { value: 'unkept.example' } })
    assert.deepEqual([shown.status, shown.body.preview], [200, true])
    const headers = { 'content-type': 'text/csv' }
    const file = await dry.call('POST', '/iocs/import', { as, headers, body: '192.0.2.1\n' })
    assert.deepEqual([file.body.imported, file.body.preview], [1, true])
    const dummy = await startTestSoc(t, { mode: 'dummy', connection: soc.connection })
    for (const path of ['/iocs', '/iocs/import']) {
      assert.equal((await dummy.call('POST', path, { as, body: EVIL })).status, 409)
    }
    assert.equal((await soc.call('GET', '/iocs', { as })).body.total, total)
  })
})

test('GET, PATCH and DELETE /iocs', async (t) => {
  const soc = await startTestSoc(t)
  const as = await soc.signIn()
  const made: Record<string, Ioc> = {}
  for (const body of [
    { value: '203.0.113.7', score: 90, tags: ['c2'], sources: ['feed'] },
    { value: '198.51.100.0/24', score: 40, tlp: 'green' },
    { value: 'evil.example', score: 70, description: 'Dropper of the Marsh group' },
    { value: 'CVE-2021-44228', score: 60 },
  ]) {
    made[body.value] = (await soc.call('POST', '/iocs', { as, body })).body
  }
  const values = async (query: string) =>
    (await soc.call('GET', `/iocs${query}`, { as })).body.items.map(({ value }: Ioc) => value)

  const FILTERS: [string, string[]][] = [
    ['', ['CVE-2021-44228', 'evil.example', '198.51.100.0/24', '203.0.113.7']],
    ['?type=domain', ['evil.example']],
    ['?value=EVIL%5B.%5Dexample', ['evil.example']],
    ['?value=203.0.113.7', ['203.0.113.7']],
    ['?tag=c2', ['203.0.113.7']],
    ['?source=feed', ['203.0.113.7']],
    ['?tlp=green', ['198.51.100.0/24']],
    ['?min_score=70', ['evil.example', '203.0.113.7']],
    ['?q=marsh', ['evil.example']],
    ['?revoked=true', []],
    ['?sighted=true', []],
    ['?sort=score&limit=2', ['203.0.113.7', 'evil.example']],
    ['?order=asc&limit=1', ['203.0.113.7']],
    ['?skip=3', ['203.0.113.7']],
  ]
  for (const [query, expected] of FILTERS) {
    await t.test(`GET /iocs${query}`, async () => assert.deepEqual(await values(query), expected))
  }

  for (const sort of ['created_at', 'updated_at', 'score', 'sightings']) {
    await t.test(`pages by cursor are the whole list: ${sort}`, async () => {
      const first = (await soc.call('GET', `/iocs?sort=${sort}&limit=3`, { as })).body
      const rest = await values(`?sort=${sort}&limit=3&cursor=${first.next_cursor}`)
      const paged = [...first.items.map(({ value }: Ioc) => value), ...rest]
      assert.deepEqual(paged, await values(`?sort=${sort}`))
      assert.equal(first.total, 4)
    })
  }

  for (const [query, field] of [
    ['?type=mutex', 'type'],
    ['?value=nothing', 'value'],
    ['?min_score=101', 'min_score'],
    ['?revoked=maybe', 'revoked'],
    ['?cursor=abc', 'cursor'],
  ] as const) {
    await t.test(`GET /iocs${query} is 400 and names ${field}`, async () => {
      const { status, body } = await soc.call('GET', `/iocs${query}`, { as })
      assert.equal(status, 400)
      assert.ok(body.detail.startsWith(`${field}: `), body.detail)
    })
  }

  const evil = made['evil.example']?.id
  await t.test('a score halves with each half-life of its type', async () => {
    await soc.query("UPDATE iocs SET scored_at = now() - interval '90 days'")
    const { body } = await soc.call('GET', '/iocs?sort=created_at&order=asc', { as })
    assert.deepEqual(
      body.items.map(({ type, effective_score }: Ioc) => [type, effective_score]),
      [
        ['ip', 11],
        ['cidr', 5],
        ['domain', 35],
        ['cve', 60],
      ],
    )
    assert.deepEqual(await values('?min_score=35'), ['CVE-2021-44228', 'evil.example'])
  })

  await t.test('PATCH changes it, and a new score counts from now', async () => {
    const body = { score: 88, tags: ['x'], valid_until: '2999-01-01T00:00:00Z' }
    const reply = await soc.call('PATCH', `/iocs/${evil}`, { as, body })
    assert.equal(reply.status, 200)
    const { score, effective_score, tags, valid_until } = reply.body
    assert.deepEqual([score, effective_score, tags], [88, 88, ['x']])
    assert.equal(valid_until, '2999-01-01T00:00:00.000Z')
  })

  await t.test('what is revoked, over or not yet valid has nothing left', async () => {
    const left = async (body: object) =>
      (await soc.call('PATCH', `/iocs/${evil}`, { as, body })).body.effective_score
    assert.equal(await left({ revoked: true }), 0)
    assert.equal(await left({ revoked: false }), 88)
    assert.equal(await left({ valid_from: '2998-01-01T00:00:00Z' }), 0)
    const past = { valid_from: '2020-01-01T00:00:00Z', valid_until: '2021-01-01T00:00:00Z' }
    assert.equal(await left(past), 0)
  })

  await t.test('PATCH of the value, of nothing, or with a wrong time is 400', async () => {
    for (const body of [{ value: 'x.example' }, {}, { valid_until: '1999-01-01T00:00:00Z' }]) {
      assert.equal((await soc.call('PATCH', `/iocs/${evil}`, { as, body })).status, 400)
    }
  })

  await t.test('a feed does not bring back what was revoked', async () => {
    await soc.call('PATCH', `/iocs/${evil}`, { as, body: { revoked: true } })
    const { body } = await soc.call('POST', '/iocs', { as, body: { value: 'evil.example' } })
    assert.equal(body.revoked, true)
  })

  await t.test('DELETE removes it; then it is 404', async () => {
    const { status, body } = await soc.call('DELETE', `/iocs/${evil}`, { as })
    assert.deepEqual([status, body], [200, { deleted: true, id: evil }])
    for (const path of [`/iocs/${evil}`, `/iocs/${evil}/sightings`, '/iocs/nobody']) {
      assert.equal((await soc.call('GET', path, { as })).status, 404)
    }
  })

  await t.test('every change is in the audit log', async () => {
    const { body } = await soc.call('GET', '/audit?limit=200', { as })
    const actions = new Set(body.items.map(({ action }: { action: string }) => action))
    for (const action of ['ioc.create', 'ioc.merge', 'ioc.update', 'ioc.delete']) {
      assert.ok(actions.has(action), action)
    }
  })
})
