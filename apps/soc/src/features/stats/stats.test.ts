import assert from 'node:assert/strict'
import { test } from 'node:test'
import { startTestSoc } from '../../testing/test-soc.ts'
import { until } from '../../testing/until.ts'

const alert = (title: string, severity: string) => ({ title, source: 'test', severity })

test('statistics', async (t) => {
  const soc = await startTestSoc(t)
  const as = await soc.signIn()
  t.beforeEach(() => soc.query('DELETE FROM alerts'))

  await t.test(
    'GET /dashboard/stats shows the last 24 hours by the hour and what waits',
    async () => {
      const viewer = await soc.signInAs('viewer')
      await soc.call('POST', '/alerts', { as, body: alert('a', 'critical') })
      const { status, body } = await soc.call('GET', '/dashboard/stats', { as: viewer })
      assert.equal(status, 200)
      assert.equal(body.trend.length, 24)
      assert.equal(body.alerts_24h, 1)
      assert.equal(body.critical_alerts, 1)
      assert.equal(body.pending_approvals, 0)
      assert.deepEqual(body.top_sources, [{ source: 'test', count: 1 }])
    },
  )

  await t.test(
    'GET /stats/overview counts alerts and cases and tells how long they took',
    async () => {
      const create = async (title: string, severity: string) =>
        (await soc.call('POST', '/alerts', { as, body: alert(title, severity) })).body.id
      const [first, second] = [await create('a', 'critical'), await create('b', 'low')]
      await create('c', 'low')
      // Within the day: the sums of days follow no alert that is moved to another by hand.
      const [age] = await soc.query<{ seconds: number }>(
        `SELECT least(90, extract(epoch FROM created_at
          - date_trunc('day', created_at, 'UTC')))::float8 AS seconds FROM alerts WHERE id = $1`,
        [first],
      )
      const seconds = Math.floor(age?.seconds ?? 90)
      await soc.query(
        `UPDATE alerts SET created_at = created_at - $2 * interval '1 second' WHERE id = $1`,
        [first, seconds],
      )
      const patch = (id: string, status: string) =>
        soc.call('PATCH', `/alerts/${id}`, { as, body: { status } })
      await patch(first, 'triaged')
      await patch(first, 'resolved')
      await patch(second, 'suppressed')
      await soc.call('POST', '/cases', { as, body: { title: 'one', severity: 'high' } })

      const { status, body } = await soc.call('GET', '/stats/overview', { as })
      assert.equal(status, 200)
      assert.equal(body.alerts.total, 3)
      assert.equal(body.alerts.open, 1)
      assert.deepEqual(body.alerts.by_severity, {
        critical: 1,
        high: 0,
        medium: 0,
        low: 2,
        info: 0,
      })
      assert.equal(body.alerts.by_status.suppressed, 1)
      assert.deepEqual(body.alerts.by_source, [{ source: 'test', count: 3 }])
      assert.deepEqual(body.totals, { created: 3, acknowledged: 1, resolved: 1 })
      assert.ok(body.mtta_seconds >= seconds && body.mtta_seconds < 3_600)
      assert.ok(body.mttr_seconds >= seconds && body.mttr_seconds < 3_600)
      assert.equal(body.times_by_severity.low.mtta_seconds, null, 'suppressing is not a look')
      assert.equal(body.trend.length, 30)
      const there = await soc.call('GET', '/stats/overview?timezone=Asia/Riyadh', { as })
      assert.equal(there.body.trend.length, 30)
      assert.match(there.body.trend[0].from, /T21:00:00/)
      assert.equal(there.body.trend.at(-1).created + there.body.trend.at(-2).created, 3)
      const nowhere = await soc.call('GET', '/stats/overview?timezone=Mars/Olympus', { as })
      assert.equal(nowhere.status, 400)
      assert.equal(body.cases.open, 1)
      assert.equal(body.cases.by_severity.high, 1)
    },
  )

  await t.test(
    'an alert opened again was not resolved; a changed severity moves with its times',
    async () => {
      const { body: created } = await soc.call('POST', '/alerts', { as, body: alert('a', 'low') })
      for (const body of [
        { status: 'resolved' },
        { severity: 'high' },
        { status: 'investigating' },
      ] as const) {
        await soc.call('PATCH', `/alerts/${created.id}`, { as, body })
      }
      await soc.query('SELECT fold_alert_hours()')
      const { body } = await soc.call('GET', '/stats/overview', { as })
      assert.deepEqual(body.totals, { created: 1, acknowledged: 1, resolved: 0 })
      assert.equal(body.mttr_seconds, null)
      assert.equal(body.times_by_severity.low.mtta_seconds, null)
      assert.notEqual(body.times_by_severity.high.mtta_seconds, null)
    },
  )

  await t.test('an execution that waits for its approval is not running', async () => {
    const steps = [{ id: 'open', action: 'create_case', params: { title: 'x', severity: 'low' } }]
    const trigger = { on: 'alert.created' }
    const playbook = { name: 'Grave', is_critical: true, steps, trigger }
    const { body: made } = await soc.call('POST', '/soar/playbooks', { as, body: playbook })
    await soc.call('POST', '/alerts', { as, body: alert('grave', 'critical') })
    await until('it waits', async () => {
      const listed = `/soar/executions?playbook_id=${made.id}&status=pending_approval`
      return (await soc.call('GET', listed, { as })).body.total === 1
    })
    const { body: dashboard } = await soc.call('GET', '/dashboard/stats', { as })
    const { body: overview } = await soc.call('GET', '/stats/overview', { as })
    for (const { running_executions, pending_approvals } of [dashboard, overview.work]) {
      assert.deepEqual([running_executions, pending_approvals], [0, 1])
    }
  })

  await t.test('the sums equal what the alerts say, whatever happened to them', async () => {
    await soc.query(`INSERT INTO alerts (id, title, source, severity, status, iocs, tags,
        mitre_techniques, dedup_hash, created_at)
      SELECT gen_random_uuid(), 'a', 's', (ARRAY['low', 'high', 'critical'])[1 + n % 3], 'new',
        '{}', '{}', '{}', n, now() - n * interval '7 minutes' FROM generate_series(1, 400) AS n`)
    for (const status of ['triaged', 'resolved', 'new', 'closed', 'suppressed']) {
      await soc.query(`UPDATE alerts SET status = $1 WHERE random() < 0.4`, [status])
      await soc.query(`UPDATE alerts SET severity = 'info' WHERE random() < 0.1`)
    }
    await soc.query('DELETE FROM alerts WHERE random() < 0.1')
    const [truth] = await soc.query<{ created: string; acknowledged: string; resolved: string }>(
      `SELECT count(*) AS created, count(acknowledged_at) AS acknowledged,
        count(resolved_at) AS resolved FROM alerts`,
    )
    const { body } = await soc.call('GET', '/stats/overview', { as })
    assert.deepEqual(body.totals, {
      created: Number(truth?.created),
      acknowledged: Number(truth?.acknowledged),
      resolved: Number(truth?.resolved),
    })
    const days = await soc.query<{ day: Date; created: number }>(
      `SELECT date_trunc('day', created_at, 'UTC') AS day, count(*)::integer AS created
      FROM alerts GROUP BY 1 ORDER BY 1`,
    )
    assert.ok(days.length > 1)
    type Day = { from: string; created: number }
    assert.deepEqual(
      body.trend
        .filter((day: Day) => day.created > 0)
        .map(({ from, created }: Day) => [from, created]),
      days.map(({ day, created }) => [day.toISOString(), created]),
    )
  })
})
