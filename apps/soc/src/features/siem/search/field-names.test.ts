import assert from 'node:assert/strict'
import { mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { test } from 'node:test'
import { startTestSoc } from '../../../testing/test-soc.ts'
import { until } from '../../../testing/until.ts'

const EVENTS = [
  {
    id: 'a',
    timestamp: '2026-01-05T10:00:00Z',
    Computer: 'WS-1',
    EventID: 4688,
    CommandLine: 'cmd.exe /c whoami',
    source: 'windows',
    message: 'A process was created',
  },
  {
    id: 'b',
    timestamp: '2026-01-06T10:00:00Z',
    host: 'web-1',
    src_ip: '203.0.113.7',
    user: 'root',
    source: 'sshd',
    message: 'Failed password for root',
  },
]

test('searching by names', async (t) => {
  const soc = await startTestSoc(t)
  const as = await soc.signIn()
  const { status } = await soc.call('POST', '/siem/logs', { as, body: EVENTS })
  assert.equal(status, 200)
  const search = async (q: string, more = '') => {
    const reply = await soc.call('GET', `/siem/logs?q=${encodeURIComponent(q)}${more}`, { as })
    assert.equal(reply.status, 200, JSON.stringify(reply.body))
    return reply.body
  }
  await until('the names are known', async () =>
    (await search('nosuchfield:x')).notes.some((note: string) => /^no event has/.test(note)),
  )

  const FOUND: [query: string, id: string][] = [
    ['commandline:*whoami*', 'a'],
    ['COMMANDLINE:*whoami*', 'a'],
    ['process.command_line:*whoami*', 'a'],
    ['winlog.event_data.CommandLine:*whoami*', 'a'],
    ['event.code:4688', 'a'],
    ['winlog.event_id:4688', 'a'],
    ['eventid:4688', 'a'],
    ['source.ip:203.0.113.0/24', 'b'],
    ['SRC_IP:203.0.113.7', 'b'],
    ['src_endpoint.ip:203.0.113.7', 'b'],
    ['user.name:root', 'b'],
    ['user=root', 'b'],
    ['_exists_:commandline', 'a'],
    ['NOT commandline:*', 'b'],
    ['COMPUTER:equals(HOST)', 'a'],
  ]
  for (const [query, id] of FOUND) {
    await t.test(`${query} finds ${id}`, async () => {
      const { items, notes } = await search(query)
      assert.deepEqual([items.map((one: { id: string }) => one.id), notes], [[id], []])
    })
  }

  const TOLD: [query: string, more: string, note: RegExp][] = [
    ['ComandLine:*', '', /no event has a field "ComandLine"; did you mean CommandLine/],
    ['host:web-9', '', /host:web-9 matches no stored event/],
    ['severity:error', '', /matches no stored event; severities are critical, high, .* info$/],
    ['host:web-1 AND whoami', '', /no event meets all of them/],
    ['user:root', '&to=2026-01-06T00:00:00Z', /newest match is from 2026-01-06/],
    ['*', '&from=2026-02-01T00:00:00Z', /newest is from 2026-01-06/],
  ]
  for (const [query, more, note] of TOLD) {
    await t.test(`nothing for ${query}${more} has its reason`, async () => {
      const { total, notes } = await search(query, more)
      assert.equal(total, 0)
      assert.match(notes.join('\n'), note)
    })
  }

  await t.test('a name that every object has is a name like any other', async () => {
    for (const name of ['constructor', '__proto__']) {
      assert.match((await search(`NOT ${name}:x`)).notes[0], new RegExp(`no event has .*${name}`))
      const { status } = await soc.call('GET', `/siem/fields/${name}/values`, { as })
      assert.equal(status, 200)
    }
  })

  await t.test('an unknown name is said beside results too', async () => {
    const { total, notes } = await search('NOT usr:root')
    assert.equal(total, 2)
    assert.match(notes[0], /no event has a field "usr"; did you mean user/)
  })
})

const PLACED = [
  { id: 'column', user: 'root', source: 'sshd', message: 'one' },
  { id: 'field', fields: { 'user.name': 'root' }, source: 'ecs', message: 'two' },
  { id: 'two', user: 'root', User: 'SYSTEM', 'user.name': 'root', source: 'ecs', message: 'three' },
  { id: 'image', Image: 'cmd.exe', source: 'sysmon', message: 'four' },
  { id: 'new', NewProcessName: 'cmd.exe', source: 'security', message: 'five' },
]

test('what is counted by a name is what a search by it finds', async (t) => {
  const soc = await startTestSoc(t)
  const as = await soc.signIn()
  await soc.call('POST', '/siem/logs', { as, body: PLACED })
  const get = async (path: string) => (await soc.call('GET', path, { as })).body
  await until('the names are known', async () =>
    (await get('/siem/logs?q=nosuchfield:x')).notes.some((note: string) => /nosuch/.test(note)),
  )
  for (const name of ['user.name', 'USER', 'process.executable', 'image', 'Source', 'user']) {
    const { items } = await get(`/siem/fields/${name}/values`)
    assert.ok(items.length > 0, name)
    const { body } = await soc.call('POST', '/siem/aggregate', { as, body: { by: [name] } })
    for (const { value, count } of items) {
      const { total } = await get(`/siem/logs?q=${encodeURIComponent(`${name}:"${value}"`)}`)
      assert.equal(count, total, `${name} ${value}`)
      const row = body.rows.find(([key]: [string]) => key === value)
      assert.deepEqual(row, [value, count], name)
    }
  }
})

test('names of events that are older than a week are known after a restart, too', async (t) => {
  const dataDir = mkdtempSync(path.join(tmpdir(), 'soc-names-'))
  const before = await startTestSoc(t, { dataDir })
  const old = { timestamp: '2026-01-05T10:00:00Z', OldName: 'x', message: 'one' }
  const as = await before.signIn()
  assert.equal((await before.call('POST', '/siem/logs', { as, body: [old] })).status, 200)
  await before.stop()
  const soc = await startTestSoc(t, { dataDir, connection: before.connection })
  await until('it is found', async () => {
    const { body } = await soc.call('GET', '/siem/logs?q=oldname:x', { as })
    return body.total === 1 && body.notes.length === 0
  })
  await soc.stop()
})

test('a store without any event says so', async (t) => {
  const soc = await startTestSoc(t)
  const { body } = await soc.call('GET', '/siem/logs', { as: await soc.signIn() })
  assert.match(body.notes.join(), /no event is stored yet/)
})
