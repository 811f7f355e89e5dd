import assert from 'node:assert/strict'
import { test } from 'node:test'
import { startTestSoc } from '../../../testing/test-soc.ts'

const EVENTS = [
  ['10:00', 'web-1', 'alice', 100],
  ['10:20', 'web-1', 'bob', 300],
  ['10:40', 'web-2', 'alice', 50],
  ['11:05', 'web-1', '=cmd|calc', 'none'],
].map(([time, host, user, bytes]) => ({
  timestamp: `2026-01-05T${time}:00Z`,
  source: 'proxy',
  message: 'GET /',
  ...{ host, user, bytes },
}))

test('POST /siem/aggregate', async (t) => {
  const soc = await startTestSoc(t)
  const as = await soc.signIn()
  await soc.call('POST', '/siem/logs', { as, body: EVENTS })
  const ask = (body: object, format = 'json') =>
    soc.call('POST', `/siem/aggregate?format=${format}`, { as, body })

  await t.test('counts by a field, largest first', async () => {
    const { status, body } = await ask({ q: 'source:proxy', by: ['host'] })
    assert.equal(status, 200)
    assert.deepEqual(body, {
      columns: ['host', 'count'],
      rows: [
        ['web-1', 3],
        ['web-2', 1],
      ],
      total_groups: 2,
      is_exact: true,
      partial: null,
      notes: [],
    })
  })

  await t.test('measures, stretches of time, having and sort', async () => {
    const { body } = await ask({
      by: ['time:1h', 'Host'],
      measures: ['count', 'sum(bytes)', 'avg(bytes)', 'p50(bytes)', 'distinct(user.name)'],
      having: [{ measure: 'sum(bytes)', is: '>=', value: 50 }],
      sort: 'sum(bytes)',
      order: 'asc',
    })
    assert.deepEqual(body.rows, [
      ['2026-01-05T10:00:00.000Z', 'web-2', 1, 50, 50, 50, 1],
      ['2026-01-05T10:00:00.000Z', 'web-1', 2, 400, 200, 300, 2],
    ])
  })

  await t.test('without by it is one row', async () => {
    const { body } = await ask({ measures: ['count', 'max(bytes)', 'min(absent)'] })
    assert.deepEqual(body.rows, [[4, 300, null]])
    assert.equal((await ask({ q: 'nothing-like-it', by: ['host'] })).body.rows.length, 0)
  })

  await t.test('moments are shown as events have them', async () => {
    const at = '2026-01-05T10:20:00.000Z'
    const { body } = await ask({ q: 'user:bob', by: ['@timestamp'] })
    assert.deepEqual(body.rows, [[at, 1]])
    for (const name of ['timestamp', '@timestamp']) {
      const top = await soc.call('GET', `/siem/fields/${name}/values?q=user:bob`, { as })
      assert.deepEqual(top.body.items, [{ value: at, count: 1 }])
    }
    const found = await soc.call('GET', `/siem/logs?q=timestamp:"${at}"`, { as })
    assert.equal(found.body.total, 1)
  })

  await t.test('CSV keeps a spreadsheet from running what was logged', async () => {
    const reply = await ask({ by: ['user'], sort: 'user', order: 'asc' }, 'csv')
    assert.match(String(reply.headers['content-type']), /^text\/csv/)
    assert.equal(reply.body, "user,count\r\n'=cmd|calc,1\r\nalice,2\r\nbob,1\r\n")
  })

  await t.test('NDJSON has one object a row', async () => {
    const { body } = await ask({ by: ['host'], limit: 1 }, 'ndjson')
    assert.equal(body, '{"host":"web-1","count":3}\n')
  })

  const REFUSED: [body: object, detail: RegExp][] = [
    [{ by: ['time:1y'] }, /^by\.0 must be like time/],
    [{ measures: ['median(bytes)'] }, /^measures\.0 must be count/],
    [{ measures: ['count', 'count'] }, /^measures count is named twice/],
    [{ having: [{ measure: 'sum(x)', is: '>', value: 1 }] }, /^having\.0\.measure must be one of/],
    [{ sort: 'host' }, /^sort must be one of count/],
    [{ q: 'host:(' }, /^q/],
    [{ by: ['a', 'b', 'c', 'd', 'e'] }, /^by/],
    [{ limit: 0 }, /^limit/],
    [{ measures: [] }, /^measures/],
  ]
  for (const [body, detail] of REFUSED) {
    await t.test(`${JSON.stringify(body)} is 400 that names the field`, async () => {
      const reply = await ask(body)
      assert.equal(reply.status, 400)
      assert.match(reply.body.detail.replace(':', ''), detail)
    })
  }

  await t.test('a viewer may not search', async () => {
    const viewer = await soc.signInAs('viewer')
    const reply = await soc.call('POST', '/siem/aggregate', { as: viewer, body: {} })
    assert.equal(reply.status, 403)
  })
})
