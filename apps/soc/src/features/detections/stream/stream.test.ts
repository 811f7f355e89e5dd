import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { test } from 'node:test'
import type { Alert } from '@manara/soc-contract/alerts'
import { openDuckdbLogs } from '../../../adapters/duckdb-logs.ts'
import { storedLog } from '../../../testing/stored-log.ts'
import { silentLog, testDatabase } from '../../../testing/test-postgres.ts'
import { startTestSoc, type TestSoc } from '../../../testing/test-soc.ts'
import { until } from '../../../testing/until.ts'

async function actions(soc: TestSoc) {
  const as = await soc.signIn()
  const call = (method: string, path: string, body?: unknown) =>
    soc.call(method, path, { as, body })
  return {
    call,
    async send(...events: object[]) {
      const { status, body } = await call('POST', '/siem/logs', { events })
      assert.equal(status, 200, JSON.stringify(body))
    },
    async create(rule: object): Promise<{ id: string }> {
      // Equal titles would be one alert, whatever rule they come from.
      const name = `Rule ${randomUUID()}`
      const { status, body } = await call('POST', '/detections/rules', { name, ...rule })
      assert.equal(status, 201, JSON.stringify(body))
      return body
    },
    async alertsOf({ id }: { id: string }): Promise<Alert[]> {
      return (await call('GET', `/alerts?rule_id=${id}`)).body.items
    },
  }
}

/** A last event with a rule of its own: when that is found, so is all that came before. */
async function drained({ create, send, alertsOf }: Awaited<ReturnType<typeof actions>>) {
  const word = randomUUID()
  const rule = await create({ query: `"${word}"` })
  await send({ message: word })
  await until('the last event is looked at', async () => (await alertsOf(rule)).length === 1)
}

test('many events at once: rules, hosts and counts see each of them once', async (t) => {
  const soc = await startTestSoc(t)
  const { call, send, create, alertsOf } = await actions(soc)
  const rule = await create({ query: 'kind:bad', alert_title_template: 'On {host}' })
  const events = Array.from({ length: 300 }, (_, n) => ({
    ...{
      id: `e-${n}`,
      source: n % 2 ? 'odd' : 'even',
      host: `host-${n % 7}`,
      message: `event ${n}`,
    },
    kind: n % 100 === 3 ? 'bad' : 'good',
    ...(n === 250 ? { 'host.ip': '192.0.2.77' } : {}),
  }))
  await send(...events)
  const hits = async () =>
    (await alertsOf(rule)).reduce((sum, { occurrence_count }) => sum + occurrence_count, 0)
  await until('the rule has its three', async () => (await hits()) === 3)
  await until('all hosts are known, and the address that one told', async () => {
    const { items } = (await call('GET', '/edr/endpoints?limit=50')).body
    const ips = items.flatMap((one: { ips: string[] }) => one.ips)
    return items.length === 7 && ips.includes('192.0.2.77')
  })
  await send(
    ...events,
    ...events.slice(0, 50).map((event) => ({ ...event, id: `new-${event.id}` })),
  )
  await until('those of the fifty', async () => (await hits()) === 4)
  const { totals } = (await call('GET', '/siem/stats')).body
  assert.deepEqual(totals, { received: 650, stored: 350, duplicates: 300, refused: 0 })
  assert.equal((await call('GET', '/siem/logs?q=source:odd&limit=1')).body.total, 175)
})

test('rules on arriving events', async (t) => {
  const soc = await startTestSoc(t)
  const doing = await actions(soc)
  const { call, send, create, alertsOf } = doing

  await t.test(
    'an event raises its alert as it arrives, and no later run raises it again',
    async () => {
      const rule = await create({ query: 'CommandLine:*nc*-e*', alert_title_template: 'On {host}' })
      await send(
        { id: 'shell', host: 'web-1', CommandLine: 'nc -e /bin/sh' },
        { id: 'other', host: 'web-2', CommandLine: 'nc -z 10.0.0.1 22' },
      )
      await until('an alert', async () => (await alertsOf(rule)).length > 0)
      const run = await call('POST', `/detections/rules/${rule.id}/run`)
      assert.equal(run.body.total, 1)
      await drained(doing)
      const [alert, ...more] = await alertsOf(rule)
      assert.deepEqual(more, [])
      assert.equal(alert?.title, 'On web-1')
      assert.equal(alert?.occurrence_count, 1)
      assert.equal(alert?.source_ref, 'shell')
    },
  )

  await t.test(
    'a threshold rule fires with the event that completes it, without a schedule',
    async () => {
      const rule = await create({
        query: 'knock:door',
        kind: 'threshold',
        threshold: { count: 3, group_by: ['src_ip'], window_seconds: 60 },
      })
      const knock = (src_ip: string) => ({ knock: 'door', src_ip })
      await send(knock('203.0.113.1'), knock('203.0.113.1'), knock('203.0.113.2'))
      await drained(doing)
      assert.deepEqual(await alertsOf(rule), [])
      await send(knock('203.0.113.1'))
      await until('an alert', async () => (await alertsOf(rule)).length > 0)
      const [alert] = await alertsOf(rule)
      assert.deepEqual(alert?.iocs, ['203.0.113.1'])
    },
  )

  await t.test('a sequence and a new term are found as they arrive', async () => {
    const sequence = await create({
      query: 'door:*',
      kind: 'sequence',
      sequence: {
        group_by: ['user'],
        window_seconds: 60,
        steps: [{ query: 'door:opened' }, { query: 'door:left' }],
      },
    })
    await send({ user: 'kim', tool: 'known' })
    const terms = await create({
      query: 'tool:*',
      kind: 'new_terms',
      new_terms: { fields: ['tool'], look_back_days: 1 },
      alert_title_template: 'New {tool}',
    })
    await send({ user: 'kim', door: 'opened' }, { user: 'lee', door: 'left' })
    await send({ user: 'kim', door: 'left' }, { tool: 'known' }, { tool: 'never seen' })
    await until('both alerts', async () => {
      const found = [...(await alertsOf(sequence)), ...(await alertsOf(terms))]
      return found.length >= 2
    })
    await drained(doing)
    assert.equal((await alertsOf(sequence)).length, 1)
    assert.deepEqual(
      (await alertsOf(terms)).map(({ title }) => title),
      ['New never seen'],
    )
  })

  await t.test('what a suppression holds back raises nothing and is counted', async () => {
    const rule = await create({ query: 'held:*' })
    await call('POST', `/detections/rules/${rule.id}/suppressions`, {
      name: 'Backup host',
      criteria: { host: 'backup-*' },
    })
    await send({ held: 1, host: 'backup-1' }, { held: 1, host: 'web-1' })
    await until('an alert', async () => (await alertsOf(rule)).length > 0)
    await drained(doing)
    assert.deepEqual(
      (await alertsOf(rule)).map(({ host }) => host),
      ['web-1'],
    )
    const { body } = await call('GET', `/detections/rules/${rule.id}/suppressions`)
    assert.equal(body.items[0].held_count, 1)
  })

  await t.test('a rule that was changed or switched off is so for the next event', async () => {
    const rule = await create({ query: 'version:1' })
    await call('PATCH', `/detections/rules/${rule.id}`, { query: 'version:2' })
    await send({ version: 1, host: 'one' }, { version: 2, host: 'two' })
    await until('an alert', async () => (await alertsOf(rule)).length > 0)
    await call('PATCH', `/detections/rules/${rule.id}`, { enabled: false })
    await send({ version: 2, host: 'three' })
    await drained(doing)
    assert.deepEqual(
      (await alertsOf(rule)).map(({ host }) => host),
      ['two'],
    )
  })
})

test('a rule made by another process counts for events that arrive here', async (t) => {
  const connection = await testDatabase()
  const here = await actions(await startTestSoc(t, { connection }))
  const there = await actions(await startTestSoc(t, { connection }))
  const rule = await there.create({ query: 'from:afar' })
  await here.send({ from: 'afar' })
  await until('an alert', async () => (await there.alertsOf(rule)).length === 1)
})

test('what was stored while nobody looked is caught up after a restart, each event once', async (t) => {
  const dataDir = mkdtempSync(path.join(tmpdir(), 'soc-stream-'))
  t.after(() => rmSync(dataDir, { recursive: true, force: true }))
  const connection = await testDatabase()
  const first = await startTestSoc(t, { connection, dataDir })
  const before = await actions(first)
  const rule = await before.create({ query: 'missed:*', alert_title_template: 'On {host}' })
  await before.send({ missed: 1, host: 'seen' })
  await until('an alert', async () => (await before.alertsOf(rule)).length === 1)
  await first.stop()

  // As after a crash: on disk, but the process ended before any rule had looked.
  const logs = openDuckdbLogs({ directory: path.join(dataDir, 'logs'), log: silentLog })
  await logs.append([storedLog({ host: 'missed', fields: { missed: 2 } })])
  await logs.close()

  const after = await actions(await startTestSoc(t, { connection, dataDir }))
  await until('the missed alert', async () => (await after.alertsOf(rule)).length === 2)
  await drained(after)
  const alerts = await after.alertsOf(rule)
  assert.deepEqual(alerts.map(({ host }) => host).sort(), ['missed', 'seen'])
  assert.deepEqual(
    alerts.map(({ occurrence_count }) => occurrence_count),
    [1, 1],
  )
})
