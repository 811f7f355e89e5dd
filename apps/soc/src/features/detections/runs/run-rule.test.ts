import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Alert } from '@manara/soc-contract/alerts'
import type { Log } from '@manara/soc-contract/siem'
import { readEvents } from '../../../testing/event-reader.ts'
import { startTestSoc } from '../../../testing/test-soc.ts'
import { until } from '../../../testing/until.ts'

const MINUTE = 60_000
const ago = (minutes: number) => new Date(Date.now() - minutes * MINUTE).toISOString()

test('running rules by hand', async (t) => {
  const soc = await startTestSoc(t)
  const as = await soc.signIn()
  const call = (method: string, path: string, body?: unknown) =>
    soc.call(method, path, { as, body })
  const send = async (...events: object[]) => {
    const reply = await call('POST', '/siem/logs', { events })
    assert.equal(reply.body.accepted, events.length, JSON.stringify(reply.body))
  }
  // By hand alone: a rule that is on may have found the same before.
  const create = async (body: object) => {
    const rule = { name: 'Rule', enabled: false, ...body }
    const reply = await call('POST', '/detections/rules', rule)
    assert.equal(reply.status, 201, JSON.stringify(reply.body))
    return reply.body
  }
  const run = async (id: string, body?: object) => {
    const reply = await call('POST', `/detections/rules/${id}/run`, body)
    assert.equal(reply.status, 200, JSON.stringify(reply.body))
    return reply.body
  }
  const alertsOf = async (id: string): Promise<Alert[]> =>
    (await call('GET', `/alerts?rule_id=${id}&order=asc`)).body.items

  await t.test('POST …/run answers rule, total, suppressed_count, run and logs', async () => {
    await send(
      { id: 'f1', timestamp: ago(3), host: 'web-1', message: 'Failed password for root' },
      { id: 'f2', timestamp: ago(2), host: 'web-1', message: 'failed password for kim' },
      {
        id: 'f3',
        timestamp: ago(1),
        host: 'web-2',
        message: 'FAILED PASSWORD',
        src_ip: '203.0.113.9',
      },
      { id: 'ok', timestamp: ago(1), host: 'web-2', message: 'Accepted password' },
    )
    const rule = await create({
      name: 'Guess',
      query: '"failed password"',
      alert_severity: 'high',
      alert_title_template: '{rule_name} on {host}',
      mitre_techniques: ['T1110.001'],
      tags: ['ssh'],
    })
    const answer = await run(rule.id)
    assert.deepEqual(Object.keys(answer).sort(), [
      'logs',
      'rule',
      'run',
      'suppressed_count',
      'total',
    ])
    assert.deepEqual([answer.total, answer.suppressed_count], [3, 0])
    assert.deepEqual(
      answer.logs.map(({ id }: Log) => id),
      ['f3', 'f2', 'f1'],
    )
    assert.equal(answer.logs[0].src_ip, '203.0.113.9')
    const { id, window_from, window_to, started_at, completed_at, alert_ids, ...record } =
      answer.run
    assert.deepEqual(record, {
      rule_id: rule.id,
      trigger_mode: 'manual',
      status: 'completed',
      match_count: 3,
      suppressed_count: 0,
      unrecorded_count: 0,
      sample_log_ids: ['f3', 'f2', 'f1'],
      lateness_ms: 0,
      gap_ms: 0,
      events_scanned: 3,
      error: null,
      run_by: 'admin',
    })
    assert.equal(Date.parse(window_to) - Date.parse(window_from), 24 * 60 * MINUTE)
    assert.ok(started_at <= completed_at)
    assert.equal(answer.rule.last_run_at, started_at)
    const runs = (await call('GET', `/detections/rules/${rule.id}/runs`)).body
    assert.deepEqual(runs.items, [answer.run])
    assert.equal(runs.items[0].id, id)

    const alerts = await alertsOf(rule.id)
    assert.deepEqual(alerts.map((alert) => alert.id).sort(), alert_ids.toSorted())
    const first = alerts.find(({ host }) => host === 'web-1')
    assert.equal(first?.title, 'Guess on web-1')
    assert.equal(first?.occurrence_count, 2)
    assert.equal(first?.source_ref, 'f1')
    assert.equal(first?.severity, 'high')
    assert.deepEqual(first?.mitre_techniques, ['T1110.001'])
    assert.equal(first?.raw?.message, 'Failed password for root')
    assert.deepEqual(alerts.find(({ host }) => host === 'web-2')?.iocs, ['203.0.113.9'])
  })

  await t.test('a second run counts the same and raises nothing again', async () => {
    const rule = await create({ query: 'message:*password*', alert_title_template: 'Again' })
    const first = await run(rule.id)
    const second = await run(rule.id)
    assert.equal(first.total, 4)
    assert.equal(second.total, 4)
    assert.deepEqual(second.run.alert_ids, [])
    const counts = (await alertsOf(rule.id)).map((alert) => alert.occurrence_count)
    assert.equal(
      counts.reduce((sum, count) => sum + count, 0),
      4,
    )
  })

  await t.test(
    'other addresses on the same host are the same alert, once it is closed another',
    async () => {
      const rule = await create({ query: 'kind:scan', alert_title_template: 'Scan of {host}' })
      const scan = (src_ip: string) => send({ kind: 'scan', host: 'db-1', src_ip })
      await scan('203.0.113.1')
      await run(rule.id)
      await scan('203.0.113.2')
      await run(rule.id)
      const [alert, ...others] = await alertsOf(rule.id)
      assert.deepEqual([alert?.occurrence_count, others.length], [2, 0])
      await call('PATCH', `/alerts/${alert?.id}`, { status: 'closed' })
      await scan('203.0.113.3')
      await run(rule.id)
      assert.deepEqual(
        (await alertsOf(rule.id)).map((one) => one.iocs),
        [['203.0.113.1'], ['203.0.113.3']],
      )
    },
  )

  await t.test('source, host and match_severity narrow the query', async () => {
    const event = { kind: 'narrow', source: 'edge', host: 'fw-1', severity: 'high' }
    await send(
      event,
      { ...event, host: 'fw-2' },
      { ...event, source: 'core' },
      { ...event, severity: 'low' },
    )
    const total = async (narrow: object) =>
      (await run((await create({ query: 'kind:narrow', ...narrow })).id)).total
    assert.equal(await total({}), 4)
    assert.equal(await total({ source: 'edge', host: 'fw-1', match_severity: 'high' }), 1)
    assert.equal(await total({ host: 'fw-*', source: 'core' }), 1)
  })

  await t.test('a body names the time of the events; from must be before to', async () => {
    await send(
      { id: 'old', kind: 'timed', timestamp: '2020-01-01T10:00:00Z' },
      { id: 'older', kind: 'timed', timestamp: '2019-01-01T10:00:00Z' },
    )
    const rule = await create({ query: 'kind:timed' })
    assert.equal((await run(rule.id)).total, 2)
    const asked = { from: '2020-01-01T00:00:00Z', to: '2020-01-02T00:00:00Z' }
    const answer = await run(rule.id, asked)
    assert.deepEqual([answer.total, answer.logs[0].id], [1, 'old'])
    assert.equal(answer.run.window_from, '2020-01-01T00:00:00.000Z')
    const reply = await call('POST', `/detections/rules/${rule.id}/run`, {
      from: asked.to,
      to: asked.from,
    })
    assert.equal(reply.status, 400)
    assert.match(reply.body.detail, /^from: /)
  })

  await t.test('logs are at most 200, the newest', async () => {
    await send(
      ...Array.from({ length: 250 }, (_, index) => ({
        id: `many-${index}`,
        kind: 'many',
        timestamp: ago(300 - index),
      })),
    )
    const answer = await run((await create({ query: 'kind:many' })).id)
    assert.deepEqual([answer.total, answer.logs.length, answer.logs[0].id], [250, 200, 'many-249'])
  })

  await t.test(
    'auto_create_case opens one case for a rule on a host, later alerts join it',
    async () => {
      const rule = await create({
        query: 'kind:case',
        auto_create_case: true,
        alert_title_template: '{what} on {host}',
      })
      await send(
        { kind: 'case', host: 'pc-1', what: 'A' },
        { kind: 'case', host: 'pc-2', what: 'A' },
      )
      await run(rule.id)
      await send(
        { kind: 'case', host: 'pc-1', what: 'B' },
        { kind: 'case', host: 'pc-1', what: 'A' },
      )
      await run(rule.id)
      const alerts = await alertsOf(rule.id)
      const caseOf = (title: string) => alerts.find((alert) => alert.title === title)?.case_id
      assert.equal(alerts.length, 3)
      assert.ok(caseOf('A on pc-1'))
      assert.equal(caseOf('B on pc-1'), caseOf('A on pc-1'))
      assert.notEqual(caseOf('A on pc-2'), caseOf('A on pc-1'))
      await call('PATCH', `/cases/${caseOf('A on pc-1')}`, { status: 'closed' })
      await send({ kind: 'case', host: 'pc-1', what: 'C' })
      await run(rule.id)
      const later = (await alertsOf(rule.id)).find((alert) => alert.title === 'C on pc-1')
      assert.ok(later?.case_id && later.case_id !== caseOf('A on pc-1'))
    },
  )

  await t.test('the run is told to listeners and in the audit log', async () => {
    const rule = await create({ query: 'kind:nothing' })
    const address = await soc.http.listen({ host: '127.0.0.1', port: 0 })
    const events = await readEvents(t, address, as)
    const { run: made } = await run(rule.id)
    await until('the run is told', () =>
      events.received.some(
        ({ event, data }) =>
          event === 'rule_run.completed' && (data as { id: string }).id === made.id,
      ),
    )
    const audit = await soc.query<{ actor: string }>(
      "SELECT actor FROM audit_log WHERE action = 'rule.run' AND target = $1",
      [`rule:${rule.id}`],
    )
    assert.deepEqual(audit, [{ actor: 'admin' }])

    const viewer = await readEvents(t, address, await soc.signInAs('viewer'))
    const secret = await create({ query: 'kind:nothing', sharing_mode: 'private' })
    await run(secret.id)
    await run(rule.id)
    const told = () => viewer.received.filter(({ event }) => event === 'rule_run.completed')
    await until('the shared rule is told', () => told().length > 0)
    const [first] = told().map(({ data }) => data as Record<string, unknown>)
    assert.deepEqual([first?.rule_id, first?.audience], [rule.id, undefined])
  })
})
