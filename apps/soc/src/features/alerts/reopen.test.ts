import assert from 'node:assert/strict'
import { test } from 'node:test'
import { startTestSoc } from '../../testing/test-soc.ts'

const same = { title: 'Beacon', source: 'proxy', iocs: ['203.0.113.9'], severity: 'high' }

test('alerts that come again, and who has looked at them', async (t) => {
  const soc = await startTestSoc(t)
  const as = await soc.signIn()
  const call = (method: string, path: string, body?: object) => soc.call(method, path, { as, body })

  await t.test('the same thing happening again opens a settled alert', async (t) => {
    const [kim, sam] = [await soc.signInAs('analyst', 'kim'), await soc.signInAs('analyst', 'sam')]
    const post = async (body: object) => (await soc.call('POST', '/alerts', { as: kim, body })).body
    const patch = (id: string, body: object) =>
      soc.call('PATCH', `/alerts/${id}`, { as: sam, body }).then((reply) => reply.body)

    for (const [round, status] of (['resolved', 'closed', 'suppressed'] as const).entries()) {
      await t.test(`${status}: it is new again, and says who had closed it and when`, async () => {
        const { id } = await post(same)
        const closed = await patch(id, { status, resolution: 'was a test' })
        assert.deepEqual([closed.closed_by, closed.status], ['sam', status])
        const again = await post(same)
        assert.equal(again.id, id)
        assert.equal(again.status, 'new')
        assert.equal(again.reopened_count, round + 1)
        assert.deepEqual([again.closed_by, again.closed_at], ['sam', closed.closed_at])
        assert.equal(again.resolution, null)
        assert.ok(Date.parse(again.reopened_at) >= Date.parse(closed.closed_at))
      })
    }

    await t.test('it is told once: as an event, in the audit log and in its case', async () => {
      const { id } = await post({ ...same, title: 'Beacon in a case' })
      const { body: opened } = await soc.call('POST', `/alerts/${id}/promote`, {
        as: sam,
        body: {},
      })
      await patch(id, { status: 'closed' })
      await post({ ...same, title: 'Beacon in a case' })
      await post({ ...same, title: 'Beacon in a case' })
      const events = await soc.query<{ event: string }>(
        `SELECT event FROM outbox WHERE event = 'alert.reopened' AND data->>'id' = $1`,
        [id],
      )
      assert.equal(events.length, 1)
      const audited = await soc.query(
        `SELECT 1 FROM audit_log WHERE action = 'alert.reopen' AND target = $1`,
        [`alert:${id}`],
      )
      assert.equal(audited.length, 1)
      const { body } = await soc.call('GET', `/cases/${opened.id}`, { as: sam })
      const told = body.timeline.filter(({ action }: { action: string }) =>
        /came again/.test(action),
      )
      assert.equal(told.length, 1)
      assert.match(told[0].action, /closed by sam/)
    })

    await t.test('one that arrives settled itself opens nothing', async () => {
      const { id } = await post({ ...same, title: 'Imported' })
      await patch(id, { status: 'closed' })
      const again = await post({ ...same, title: 'Imported', status: 'closed' })
      assert.deepEqual([again.status, again.reopened_count], ['closed', 0])
    })

    await t.test('who only says or moves it again has not closed it', async () => {
      const { id } = await post({ ...same, title: 'Closed once' })
      const closed = await patch(id, { status: 'closed' })
      const by = [closed.closed_by, closed.closed_at]
      const told = (table: string, which: string) =>
        soc.query(`SELECT 1 FROM ${table} WHERE ${which}`, [id]).then(({ length }) => length)
      const heard = () => told('outbox', `event = 'alert.updated' AND data->>'id' = $1`)
      const audited = () => told('audit_log', `target = 'alert:' || $1`)
      const [events, entries] = [await heard(), await audited()]

      const { body: again } = await call('PATCH', `/alerts/${id}`, { status: 'closed' })
      assert.deepEqual(again, closed)
      assert.deepEqual([await heard(), await audited()], [events, entries])
      const { body: said } = await call('PATCH', `/alerts/${id}`, {
        ...{ status: 'closed', resolution: 'was a drill' },
      })
      assert.deepEqual([said.closed_by, said.closed_at, said.resolution], [...by, 'was a drill'])
      const { body: one } = await call('POST', '/cases', { title: 'One', severity: 'low' })
      const { body: two } = await call('POST', '/cases', { title: 'Two', severity: 'low' })
      const { body: linked } = await call('POST', `/alerts/${id}/case-link`, { case_id: one.id })
      assert.deepEqual([linked.status, linked.closed_by, linked.closed_at], ['closed', ...by])
      await call('POST', `/cases/${two.id}/merge`, { case_ids: [one.id] })
      const { body: merged } = await call('GET', `/alerts/${id}`)
      assert.deepEqual([merged.case_id, merged.closed_by, merged.closed_at], [two.id, ...by])
      const { body: resolved } = await call('PATCH', `/alerts/${id}`, { status: 'resolved' })
      assert.equal(resolved.closed_by, 'admin')
    })

    await t.test('what an agent has triaged a person still takes up', async () => {
      const { id } = await post({ ...same, title: 'Triaged by itself' })
      await soc.query(`UPDATE alerts SET status = 'triaged' WHERE id = $1`, [id])
      assert.equal((await patch(id, { status: 'triaged' })).acknowledged_by, 'sam')
    })

    await t.test('one that is being worked on only counts', async () => {
      const { id } = await post({ ...same, title: 'Open' })
      await patch(id, { status: 'investigating' })
      const again = await post({ ...same, title: 'Open' })
      assert.deepEqual(
        [again.status, again.occurrence_count, again.reopened_count],
        ['investigating', 2, 0],
      )
    })
  })

  await t.test('times of an alert are those of its events, never later than now', async () => {
    const post = async (body: object) =>
      (await soc.call('POST', '/alerts', { as, body: { ...same, title: 'Late', ...body } })).body
    await post({ first_seen_at: '2026-01-02T00:00:00Z', last_seen_at: '2026-01-02T00:00:00Z' })
    const late = await post({
      first_seen_at: '2026-01-01T00:00:00Z',
      last_seen_at: '2026-01-01T00:00:00Z',
    })
    assert.equal(late.first_seen_at, '2026-01-01T00:00:00.000Z')
    assert.equal(late.last_seen_at, '2026-01-02T00:00:00.000Z')
    const ahead = await post({ last_seen_at: '2999-01-01T00:00:00Z' })
    assert.ok(Date.parse(ahead.last_seen_at) <= Date.now() + 60_000)
    assert.ok(Date.parse(ahead.created_at) > Date.parse('2026-01-03T00:00:00Z'))
  })

  await t.test('who runs a rule by hand has not looked at what it puts into a case', async () => {
    // Off, so that nothing is raised before it is run.
    const { body: rule } = await call('POST', '/detections/rules', {
      ...{ name: 'Lanterns', query: 'lantern', auto_create_case: true, enabled: false },
    })
    await call('POST', '/siem/logs', [{ message: 'lantern', timestamp: '2026-01-05T10:00:00Z' }])
    await call('POST', `/detections/rules/${rule.id}/run`, { from: '2026-01-01T00:00:00Z' })
    const [alert] = (await call('GET', `/alerts?rule_id=${rule.id}`)).body.items
    assert.equal(alert.status, 'investigating')
    assert.deepEqual([alert.acknowledged_by, alert.acknowledged_at], [null, null])
    const { body: opened } = await call('GET', `/cases/${alert.case_id}`)
    assert.equal(opened.created_by, 'admin')
  })

  await t.test(
    'only a person acknowledges: a case that a rule opens by itself does not',
    async (t) => {
      const { body: rule } = await call('POST', '/detections/rules', {
        name: 'Beacons',
        query: 'beacon',
        auto_create_case: true,
      })
      await call('POST', '/siem/logs', [
        { message: 'beacon', host: 'web-1', timestamp: '2026-01-05T10:00:00Z' },
      ])
      await call('POST', `/detections/rules/${rule.id}/run`, { from: '2026-01-01T00:00:00Z' })
      const { body: list } = await call('GET', `/alerts?rule_id=${rule.id}`)
      const [alert] = list.items
      assert.equal(alert.status, 'investigating')
      assert.deepEqual([alert.acknowledged_by, alert.acknowledged_at], [null, null])
      assert.equal(alert.first_seen_at, '2026-01-05T10:00:00.000Z')
      const { body: before } = await call('GET', '/stats/overview')

      const { body: after } = await call('PATCH', `/alerts/${alert.id}`, { assignee: 'kim' })
      assert.equal(after.acknowledged_by, 'admin')
      const { body: counted } = await call('GET', '/stats/overview')
      assert.equal(counted.totals.acknowledged, before.totals.acknowledged + 1)

      await t.test('GET /alerts/{id}/events shows the events behind it', async () => {
        const { status, body } = await call('GET', `/alerts/${alert.id}/events`)
        assert.equal(status, 200)
        assert.equal(body.total, 1)
        assert.equal(body.items[0].event.message, 'beacon')
        assert.equal(body.items[0].log_id, body.items[0].event.id)
        assert.equal(body.related, undefined)
        // With others of its host, for who shows both.
        for (const host of ['web-1', 'web-2']) {
          await call('POST', '/alerts', { title: `On ${host}`, source: 'test', host })
        }
        const { body: both } = await call('GET', `/alerts/${alert.id}/events?related=8`)
        assert.equal(both.total, 1)
        assert.ok(both.related.some(({ title }: { title: string }) => title === 'On web-1'))
        for (const { id, host } of both.related) {
          assert.deepEqual([host, id === alert.id], ['web-1', false])
        }
      })

      await t.test('an event that is gone is named', async () => {
        await soc.query(
          `INSERT INTO detection_hits (rule_id, log_id, is_held, alert_id, claimed_at)
         VALUES ($1, 'gone-by-retention', false, $2, now())`,
          [rule.id, alert.id],
        )
        const { body } = await call('GET', `/alerts/${alert.id}/events`)
        assert.deepEqual(body.items[1], { log_id: 'gone-by-retention', event: null })
      })
    },
  )
})
