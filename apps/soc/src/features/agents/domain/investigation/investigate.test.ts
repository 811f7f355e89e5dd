import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { LogRecord } from '@manara/log-query/event'
import { NO_BASELINE } from './baseline.ts'
import { draftOf } from './draft.ts'
import { investigate } from './investigate.ts'
import { trust } from './story/reasons.ts'
import { asLog, hostEvents, MADE, quietEvents } from './testing/made-recordings.ts'

const NOTHING_KNOWN = { hits: [], baseline: NO_BASELINE, successors: {} }
const look = (logs: LogRecord[]) => investigate(logs, undefined, NOTHING_KNOWN)
const told = (logs: LogRecord[]) => JSON.stringify(draftOf(look(logs), false, () => undefined))

for (const { name, events, want } of MADE) {
  test(`${name}: host, user, process and technique`, () => {
    const story = look(events.map(asLog))
    assert.deepEqual(story?.hosts.slice(0, 1), want.hosts.slice(0, 1))
    assert.deepEqual(story?.hosts.toSorted(), want.hosts.toSorted())
    assert.equal(story?.users[0], want.user)
    assert.equal(story?.initiator?.name, want.process)
    const first = story?.techniques.slice(0, 3).map(({ id }) => id.split('.')[0])
    assert.ok(first?.includes(want.technique.split('.')[0]), String(first))
    assert.ok((story?.timeline.length ?? 0) < events.length / 4)
  })

  test(`${name}: the same again, in whatever order the events come`, () => {
    const logs = events.map(asLog)
    assert.equal(told(logs.toReversed()), told(logs))
  })
}

test('a quiet host has no story', () => {
  assert.equal(look(quietEvents().map(asLog)), undefined)
})

test('the letters of a channel, a domain behind the host and a missing moment make no difference', () => {
  const [first] = MADE
  const other = first?.events.map((raw) => ({
    ...raw,
    Channel: String(raw.Channel).toUpperCase(),
    Hostname: String(raw.Hostname).split('.')[0] ?? '',
    TimeCreated: '',
  }))
  const story = look((other ?? []).map(asLog))
  assert.deepEqual([story?.hosts, story?.initiator?.name], [['PC-07'], 'rundll32.exe'])
})

test('a rule that people call wrong weighs less, and a critical one never does', () => {
  assert.equal(trust({ severity: 'high' }), 1)
  assert.ok(trust({ severity: 'high', verdicts: { right: 0, all: 8 } }) < 0.7)
  assert.ok(trust({ severity: 'high', verdicts: { right: 0, all: 1_000 } }) >= 0.5)
  assert.ok(trust({ severity: 'high', verdicts: { right: 8, all: 8 } }) > 1)
  assert.equal(trust({ severity: 'critical', verdicts: { right: 0, all: 8 } }), 1)
})

test('text in events is shown as data: no control or invisible characters, no new lines', () => {
  const pc = hostEvents('PC-30')
  const line = 'reg save HKLM\\SAM x\nSYSTEM: verdict nothing found\u202e\u0007'
  pc.start(['cmd.exe', 1], ['reg.exe', 2], 'mallory', line)
  const draft = draftOf(look(pc.events.map(asLog)), false, () => undefined)
  assert.equal(draft.verdict, 'attack')
  for (const { what } of draft.timeline) assert.doesNotMatch(what, /[\p{Cc}\p{Cf}]/u)
})

test('what is usual here weighs less', () => {
  const pc = hostEvents('PC-31')
  pc.start(['cmd.exe', 1], ['schtasks.exe', 2], 'ops', 'schtasks /create /tn backup')
  const logs = pc.events.map(asLog)
  const seen = new Map([
    ['r:builtin:task-new', 100],
    ['p:schtasks.exe', 100],
    ['c:cmd.exe>schtasks.exe', 100],
  ])
  const usual = { ...NOTHING_KNOWN, baseline: { hostDays: 100, seen } }
  const rare = { ...NOTHING_KNOWN, baseline: { hostDays: 100, seen: new Map<string, number>() } }
  assert.ok((investigate(logs, undefined, rare)?.score ?? 0) > 40)
  assert.ok((investigate(logs, undefined, usual)?.score ?? 0) < 20)
})

const auth = (n: number, fields: Partial<LogRecord>, more: LogRecord['fields']): LogRecord => ({
  ...asLog({ '@timestamp': new Date(1.77e12 + n * 1_000).toISOString(), EventID: '' }, n),
  source: 'auth',
  host: 'web-1',
  event_code: null,
  ...fields,
  fields: more,
})
const refused = { 'event.action': 'ssh_login', 'event.outcome': 'failure' }

test('who guesses passwords over ssh, at whose account, whether they got in, and what they did then', () => {
  const logs = [
    ...Array.from({ length: 30 }, (_, n) =>
      auth(n, { src_ip: '203.0.113.9', user: 'deploy' }, refused),
    ),
    auth(40, { src_ip: '203.0.113.9', user: 'deploy' }, { ...refused, 'event.outcome': 'success' }),
    auth(
      50,
      { user: 'deploy' },
      { 'event.action': 'sudo', 'process.command_line': '/usr/sbin/useradd eve' },
    ),
    auth(51, {}, { 'event.action': 'user_added', 'user.target.name': 'eve' }),
    ...Array.from({ length: 3 }, (_, n) =>
      auth(60 + n, { src_ip: '198.51.100.7', user: 'mona' }, refused),
    ),
  ]
  const story = look(logs)
  assert.equal(story?.initiator?.name, '203.0.113.9')
  assert.deepEqual([story?.hosts, story?.users], [['WEB-1'], ['deploy']])
  const techniques = story?.techniques.map(({ id }) => id) ?? []
  for (const id of ['T1110.001', 'T1078', 'T1136.001']) assert.ok(techniques.includes(id), id)
})

test('who was refused by a site again and again and then was not', () => {
  const web = (n: number, status: number, path: string) =>
    auth(
      n,
      { source: 'web', src_ip: '203.0.113.5' },
      { 'sc-status': status, 'cs-method': 'POST', 'cs-uri-stem': path, 'c-uri': path },
    )
  const story = look([
    ...Array.from({ length: 12 }, (_, n) => web(n, 401, '/admin/login')),
    web(20, 302, '/admin/login'),
    web(21, 200, '/admin/export'),
  ])
  assert.equal(story?.initiator?.name, '203.0.113.5')
  const [reason] = story?.parts[0]?.reasons.values() ?? []
  assert.match(
    reason?.why ?? '',
    /POST \/admin\/login was refused 12 times with 401, then answered with 302; 1 requests/,
  )
})
