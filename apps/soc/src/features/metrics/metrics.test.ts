import assert from 'node:assert/strict'
import { test } from 'node:test'
import { keyWith } from '../../testing/log-sender.ts'
import { severablePostgres } from '../../testing/severable-postgres.ts'
import { startTestSoc, type TestSoc } from '../../testing/test-soc.ts'
import { until } from '../../testing/until.ts'

const ELSEWHERE = { remoteAddress: '192.0.2.9' }

const scrape = async (soc: TestSoc) => (await soc.http.inject('/metrics')).body

/** Of the line that begins so; undefined when there is none. */
async function valueIn(soc: TestSoc, series: string): Promise<number | undefined> {
  const line = (await scrape(soc)).split('\n').find((one) => one.startsWith(`${series} `))
  return line === undefined ? undefined : Number(line.slice(series.length))
}

const becomes = (soc: TestSoc, series: string, isSo: (value: number | undefined) => boolean) =>
  until(series, async () => isSo(await valueIn(soc, series)))

test('GET /metrics', async (t) => {
  const soc = await startTestSoc(t)
  const as = await soc.signIn()

  await t.test('GET /metrics counts what came in', async () => {
    const body = [{ source: 'app', message: '1' }, 5]
    await soc.call('POST', '/siem/logs', { as, body })
    const { statusCode, headers, body: text } = await soc.http.inject('/metrics')
    assert.equal(statusCode, 200)
    assert.match(String(headers['content-type']), /^text\/plain; version=0.0.4/)
    assert.match(text, /^soc_ingest_stored_total\{way="api"\} 1$/m)
    assert.match(text, /^soc_ingest_source_stored_total\{source="app"\} 1$/m)
    assert.match(text, /^soc_ingest_refused_total\{way="api",reason="invalid"\} 1$/m)
    assert.match(text, /^soc_ingest_queue_events 0$/m)
    assert.match(text, /^nodejs_eventloop_lag_seconds /m)
  })

  await t.test('GET /metrics has alerts, rules and queues from the records', async () => {
    const raise = (title: string, severity: string) =>
      soc.call('POST', '/alerts', { as, body: { title, source: 'test', severity } })
    await raise('one', 'high')
    await raise('two', 'high')
    await raise('two', 'high')
    const { body: low } = await raise('three', 'low')
    await soc.call('PATCH', `/alerts/${low.id}`, { as, body: { status: 'closed' } })
    await becomes(soc, 'soc_alerts{severity="low",status="closed"}', (value) => value === 1)
    assert.equal(await valueIn(soc, 'soc_alerts{severity="high",status="new"}'), 2)
    assert.equal(
      await valueIn(soc, 'soc_alerts_raised_total{severity="high"}'),
      2,
      'not the repeat',
    )
    assert.equal(await valueIn(soc, 'soc_alerts_raised_total{severity="low"}'), 1)

    const rule = {
      name: 'Late',
      query: 'a:b',
      schedule_enabled: true,
      schedule_interval_minutes: 60,
    }
    const { body: late } = await soc.call('POST', '/detections/rules', { as, body: rule })
    assert.equal(await valueIn(soc, 'soc_rules_failing'), 0)
    await soc.query(`UPDATE detection_rules SET next_run_at = now() - interval '1 hour',
      lease_until = now() + interval '1 hour', failures = 2`)
    await becomes(soc, 'soc_rule_lag_seconds', (value) => Number(value) >= 3600)
    assert.equal(await valueIn(soc, 'soc_rules_due'), 1)
    assert.equal(await valueIn(soc, 'soc_rules_failing'), 1)
    assert.equal(await valueIn(soc, 'soc_rules{state="on"}'), 1)

    assert.equal(await valueIn(soc, 'soc_rule_runs_failed_total'), 0)
    await soc.query(`UPDATE detection_rules SET query = '(('`)
    await soc.call('POST', `/detections/rules/${late.id}/run`, { as })
    assert.equal(await valueIn(soc, 'soc_rule_runs_failed_total'), 1)

    await soc.call('DELETE', `/detections/rules/${late.id}`, { as })

    for (const queue of ['agent_jobs', 'executions', 'approvals', 'endpoint_actions']) {
      assert.equal(await valueIn(soc, `soc_queue_depth{queue="${queue}"}`), 0)
    }
  })

  await t.test('GET /metrics says how long arrived events wait for the rules', async () => {
    const body = { name: 'Shell', query: 'CommandLine:*nc*' }
    await soc.call('POST', '/detections/rules', { as, body })
    await soc.holding('LOCK TABLE detection_hits IN ACCESS EXCLUSIVE MODE', async () => {
      const event = { host: 'web-1', CommandLine: 'nc -e /bin/sh' }
      await soc.call('POST', '/siem/logs', { as, body: { events: [event] } })
      await becomes(soc, 'soc_stream_delay_seconds', (value) => Number(value) > 0.05)
    })
    await becomes(soc, 'soc_stream_delay_seconds', (value) => value === 0)
    assert.equal(await valueIn(soc, 'soc_stream_waiting_events'), 0)
  })

  await t.test('GET /metrics counts searches, and tells how the log store is', async () => {
    const calls = (call: string) =>
      valueIn(soc, `soc_log_store_calls_total{call="${call}",outcome="ok"}`)
    const before = Number(await calls('append'))
    await soc.call('POST', '/siem/logs', { as, body: { events: [{ message: 'one' }] } })
    await soc.call('GET', '/siem/logs?q=one', { as })
    await soc.call('GET', '/siem/histogram?q=one', { as })
    assert.ok(Number(await calls('search')) >= 1)
    assert.ok(Number(await calls('histogram')) >= 1)
    assert.equal(await calls('append'), before + 1)
    assert.ok(
      Number(await valueIn(soc, 'soc_log_store_call_duration_seconds_count{call="search"}')) >= 1,
    )
    const { body: stored } = await soc.call('GET', '/siem/logs', { as })
    await becomes(soc, 'soc_log_store_events', (value) => value === stored.total)
    assert.equal(await valueIn(soc, 'soc_log_store_up'), 1)
    assert.ok(Number(await valueIn(soc, 'soc_log_store_bytes')) > 0)
  })

  await t.test('GET /metrics counts requests by route pattern, never by address', async () => {
    for (const path of [
      '/alerts/marker-1',
      '/alerts/marker-2',
      '/marker-3',
      '/marker-4?q=marker-5',
    ])
      assert.equal((await soc.call('GET', path, { as })).status, 404)
    const text = await scrape(soc)
    const of = 'method="GET",route="/api/v1/alerts/:alert_id"'
    assert.match(text, new RegExp(`^soc_http_requests_total\\{${of},status="404"\\} 2$`, 'm'))
    assert.match(text, /^soc_http_requests_total\{method="any",route="none",status="404"\} 2$/m)
    assert.match(text, new RegExp(`^soc_http_request_duration_seconds_count\\{${of}\\} 2$`, 'm'))
    assert.ok(!text.includes('marker'))
  })

  await t.test(
    'GET /metrics is for this machine, and elsewhere for keys with metrics:read',
    async () => {
      const status = async (headers: Record<string, string>, from: object = ELSEWHERE) =>
        (await soc.http.inject({ url: '/metrics', headers, ...from })).statusCode
      const [right, wrong] = [await keyWith(soc, 'metrics:read'), await keyWith(soc, 'siem:read')]
      assert.equal(await status({}), 401)
      assert.equal(await status({ 'x-api-key': wrong }), 403)
      assert.equal(await status({ 'x-api-key': right }), 200)
      assert.equal(await status({ authorization: `Bearer ${right}` }), 200)
      assert.equal(await status({}, {}), 200)
      assert.equal(await status({ 'x-forwarded-for': '192.0.2.9' }, {}), 401)
    },
  )

  await t.test('GET /metrics under a name that is not this machine’s needs a key', async () => {
    const statusFor = async (host: string) =>
      (await soc.http.inject({ url: '/metrics', headers: { host } })).statusCode
    assert.equal(await statusFor('rebound.attacker.example:8000'), 401)
    assert.equal(await statusFor('localhost.attacker.example'), 401)
    for (const own of ['localhost:8000', '127.0.0.1:8000', '[::1]:8000']) {
      assert.equal(await statusFor(own), 200, own)
    }
  })
})

test('GET /metrics answers while the database is away, and makes nothing up', async (t) => {
  const line = await severablePostgres(t)
  const soc = await startTestSoc(t, { connection: line.connection })
  assert.equal(await valueIn(soc, 'soc_database_up'), 1)
  // While it starts all of them may be busy.
  await becomes(soc, 'soc_database_connections{state="idle"}', (value) => Number(value) > 0)
  await line.cut()
  await becomes(soc, 'soc_database_up', (value) => value === 0)
  await becomes(soc, 'soc_rule_lag_seconds', (value) => value === undefined)
  assert.equal(await valueIn(soc, 'soc_queue_depth{queue="approvals"}'), undefined)
  assert.equal(await valueIn(soc, 'soc_log_store_up'), 1)
  await line.mend()
  await becomes(soc, 'soc_queue_depth{queue="approvals"}', (value) => value === 0)
})
