import assert from 'node:assert/strict'
import { test } from 'node:test'
import { watchers } from '../../../testing/source-watchers.ts'
import { startTestSoc, type TestSoc } from '../../../testing/test-soc.ts'

const MINUTE = 60_000
const HOUR = 60 * MINUTE
const DAY = 24 * HOUR

const alertsOf = async (soc: TestSoc) =>
  (await soc.call('GET', '/alerts?source=platform&limit=200', { as: await soc.signIn() })).body
    .items as { title: string; status: string; resolution: string | null }[]

/** Weeks of a source that speaks all the time, written as the counts that it would have left. */
async function learnt(soc: TestSoc, now: number, ...sources: string[]) {
  const from = new Date(now - 14 * DAY).toISOString()
  const to = new Date(now).toISOString()
  await soc.query(
    `INSERT INTO log_source_hours SELECT source, hour, CASE source WHEN '' THEN 60 ELSE 100 END, 0, 0, 60000
     FROM unnest($1::text[]) source, generate_series($2::timestamptz, $3, '1 hour') hour`,
    [['', ...sources], from, to],
  )
  await soc.query(
    `INSERT INTO log_sources (source, first_received_at, last_received_at, last_event_at)
     SELECT source, $2::timestamptz, $3::timestamptz, $3::timestamptz FROM unnest($1::text[]) source`,
    [sources, from, to],
  )
  await soc.query('UPDATE log_source_watch SET beat_at = $1, up_since = $2', [to, from])
}

type Watchers = Awaited<ReturnType<typeof watchers>>

/** For half an hour. */
async function speaksAlone(source: string, made: Watchers['made'], turn: Watchers['turn']) {
  for (let minute = 0; minute < 30; minute += 1) {
    made[0]?.send(source)
    await turn(MINUTE)
  }
}

test('a source that falls silent is told once, by whichever process, and settled when it is back', async (t) => {
  const soc = await startTestSoc(t, { mode: 'dummy' })
  const { made, time, turn } = await watchers(t, soc, 2)
  await learnt(soc, time.now, 'firewall', 'web')
  const [one, other] = made
  for (let minute = 0; minute < 14; minute += 1) {
    other?.send('web')
    await turn(MINUTE)
  }
  assert.deepEqual(await alertsOf(soc), [])
  for (let minute = 0; minute < 4; minute += 1) {
    other?.send('web')
    await turn(MINUTE)
  }
  assert.deepEqual(
    (await alertsOf(soc)).map(({ title, status }) => [title, status]),
    [['Log source firewall is silent', 'new']],
  )
  await turn(MINUTE)
  one?.send('firewall')
  other?.send('web')
  await turn(MINUTE)
  const [alert, ...more] = await alertsOf(soc)
  assert.deepEqual([alert?.status, more], ['resolved', []])
  assert.match(alert?.resolution ?? '', /sends again/)
  const audit = await soc.query<{ action: string; count: string }>(
    `SELECT action, count(*) FROM audit_log WHERE action LIKE 'source.%' GROUP BY action`,
  )
  const told = Object.fromEntries(audit.map(({ action, count }) => [action, Number(count)]))
  assert.partialDeepStrictEqual(told, { 'source.silent': 1, 'source.back': 1 })
})

test('when nobody speaks any more, that is said once and no source is blamed', async (t) => {
  const soc = await startTestSoc(t, { mode: 'dummy' })
  const { made, time, turn } = await watchers(t, soc, 2)
  await learnt(soc, time.now, 'firewall', 'web', 'dns')
  for (let minute = 0; minute < 40; minute += 1) await turn(MINUTE)
  assert.deepEqual(
    (await alertsOf(soc)).map(({ title }) => title),
    ['No log source sends any more'],
  )
  made[0]?.send('web')
  await turn(MINUTE)
  assert.equal((await alertsOf(soc))[0]?.status, 'resolved')
})

test('our own downtime, or a clock that jumps, is nobody’s silence', async (t) => {
  const soc = await startTestSoc(t, { mode: 'dummy' })
  const { time, turn, made } = await watchers(t, soc, 1)
  await learnt(soc, time.now, 'firewall', 'web')
  await turn(6 * HOUR)
  await turn(MINUTE)
  assert.deepEqual(await alertsOf(soc), [])
  await turn(-6 * HOUR)
  await turn(MINUTE)
  assert.deepEqual(await alertsOf(soc), [])
  // From then on it is watched again.
  await turn(6 * HOUR)
  await speaksAlone('web', made, turn)
  assert.deepEqual(
    (await alertsOf(soc)).map(({ title }) => title),
    ['Log source firewall is silent'],
  )
})

test('hundreds of new sources are announced together, and none twice', async (t) => {
  const soc = await startTestSoc(t, { mode: 'dummy' })
  const { made, turn } = await watchers(t, soc, 2)
  for (let at = 0; at < 300; at += 1) made[at % 2]?.send(`host-${at}`)
  await turn(MINUTE)
  for (let at = 0; at < 300; at += 1) made[at % 2]?.send(`host-${at}`)
  await turn(MINUTE)
  const told = await soc.query<{ data: { count: number; sources: string[] } }>(
    `SELECT data FROM outbox WHERE event = 'source.new'`,
  )
  assert.equal(
    told.reduce((sum, { data }) => sum + data.count, 0),
    300,
  )
  assert.ok(told.length <= 4 && told.every(({ data }) => data.sources.length <= 20))
  assert.deepEqual(await alertsOf(soc), [])
})

test('GET /siem/sources tells rate, lag, parse share and silence', async (t) => {
  const soc = await startTestSoc(t)
  const as = await soc.signIn()
  const at = new Date(Date.now() - 5_000).toISOString()
  const events = [
    { source: 'app', timestamp: at, message: 'nobody knows this' },
    { source: 'app', timestamp: at, message: 'nor this' },
  ]
  await soc.call('POST', '/siem/logs', { as, body: { events } })
  const read = async () =>
    (await soc.call('GET', '/siem/sources', { as })).body.items[0] as Record<string, unknown>
  const source = await read()
  assert.partialDeepStrictEqual(source, { source: 'app', events: 2, state: 'learning' })
  assert.ok((source.silence_s as number) < 60 && source.silent_since === null)
  await soc.stop()
  const again = await startTestSoc(t, { connection: soc.connection })
  const rows = await again.query<{ events: string; lag: number }>(
    `SELECT events, lag_ms / events / 1000 AS lag FROM log_source_hours WHERE source = 'app'`,
  )
  assert.deepEqual([rows[0]?.events, Number(rows[0]?.lag) >= 5], ['2', true])
})

test('after a clock that was a year ahead is set right, who falls silent is told', async (t) => {
  const soc = await startTestSoc(t, { mode: 'dummy' })
  const { time, turn, made } = await watchers(t, soc, 1)
  await learnt(soc, time.now, 'firewall', 'web')
  await turn(365 * DAY)
  for (const source of ['firewall', 'web']) made[0]?.send(source)
  await turn(MINUTE)
  await turn(-365 * DAY)
  await speaksAlone('web', made, turn)
  assert.deepEqual(
    (await alertsOf(soc)).map(({ title }) => title),
    ['Log source firewall is silent'],
  )
  made[0]?.send('firewall')
  await turn(MINUTE)
  assert.equal((await alertsOf(soc))[0]?.status, 'resolved')
  const [rate] = await soc.query<{ events: string }>(
    'SELECT coalesce(sum(events), 0) AS events FROM log_source_minutes WHERE minute > $1',
    [new Date(time.now).toISOString()],
  )
  assert.equal(rate?.events, '0', 'nothing is counted for minutes to come')
})

test('who speaks as soon as we are back teaches no pause of ours', async (t) => {
  const soc = await startTestSoc(t, { mode: 'dummy' })
  const { time, turn, made } = await watchers(t, soc, 1)
  await learnt(soc, time.now, 'firewall', 'web')
  for (let outage = 0; outage < 2; outage += 1) {
    time.now += 6 * HOUR
    for (const source of ['firewall', 'web']) made[0]?.send(source)
    await turn(MINUTE)
  }
  await speaksAlone('web', made, turn)
  assert.deepEqual(
    (await alertsOf(soc)).map(({ title }) => title),
    ['Log source firewall is silent'],
  )
})

test('of more sources than are watched nothing is kept by name, and what parsers read of them is counted', async (t) => {
  const soc = await startTestSoc(t, { mode: 'dummy' })
  const { made, turn } = await watchers(t, soc, 1)
  await soc.query(
    `INSERT INTO log_sources (source, first_received_at, last_received_at, last_event_at)
     SELECT 'pod-' || n, now(), now(), now() FROM generate_series(1, 10000) n`,
  )
  made[0]?.send('pod-1')
  for (let at = 0; at < 20; at += 1) {
    made[0]?.send(`made-up-${at}`)
    made[0]?.send(`made-up-${at}`, { _parser: 'cef' })
  }
  await turn(MINUTE)
  for (const table of [
    'log_sources',
    'log_source_hours',
    'log_source_minutes',
    'log_unread_examples',
    'log_parser_hours',
  ]) {
    const rows = await soc.query(`SELECT FROM ${table} WHERE source LIKE 'made-up-%'`)
    assert.equal(rows.length, 0, table)
  }
  const counted = await soc.query(
    'SELECT parser, source, events FROM log_parser_hours ORDER BY parser, source',
  )
  assert.deepEqual(counted, [
    { parser: '', source: 'other sources', events: '20' },
    { parser: '', source: 'pod-1', events: '1' },
    { parser: 'cef', source: 'other sources', events: '20' },
  ])
})
