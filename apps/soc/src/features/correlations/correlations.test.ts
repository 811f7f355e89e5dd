import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { type TestContext, test } from 'node:test'
import type { Correlation } from '@manara/soc-contract/correlations'
import { readEvents } from '../../testing/event-reader.ts'
import { startTestSoc, type TestSoc } from '../../testing/test-soc.ts'
import { until } from '../../testing/until.ts'

const NOON = Date.parse('2026-03-02T12:00:00Z')
const LATERAL = '0c0e1a7e-0000-4000-8000-000000000001'
const moment = (minutes: number) => new Date(NOON + minutes * 60_000).toISOString()

async function started(t: TestContext) {
  const soc = await startTestSoc(t)
  const as = await soc.signIn()
  return { soc, as, ...sending(soc, as) }
}

function sending(soc: TestSoc, as: string) {
  const send = async (method: string, path: string, body?: unknown) =>
    soc.call(method, path, { as, body })
  return {
    send,
    ask: async (path: string) => (await send('GET', path)).body,
    async alert(title: string, minutes: number, rest: object = {}): Promise<string> {
      const times = { first_seen_at: moment(minutes), last_seen_at: moment(minutes) }
      const { body } = await send('POST', '/alerts', {
        ...{ title, source: 'detection', severity: 'high', site_id: 'station', ...times, ...rest },
      })
      return body.id
    },
    /** As the attestation of a device leaves it in the database. */
    async attested(name: string, minutes: number, verdict = 'contraindicated', site = 'station') {
      const device = randomUUID()
      await soc.query(
        `INSERT INTO cps_devices (id, name, device_type, managed, site_id, zone)
         VALUES ($1, $2, 'plc', true, $3, 'process')`,
        [device, name, site],
      )
      const id = randomUUID()
      await soc.query(
        `INSERT INTO cps_attestations (id, device_id, nonce, trigger, requested_by, expires_at, reason)
         VALUES ($1, $2, $3, 'schedule', 'system', now(), 'asked')`,
        [id, device, randomUUID()],
      )
      await soc.query(
        `UPDATE cps_attestations SET status = 'answered', received_at = $2, verdict = $3,
           reason = 'the firmware is unknown' WHERE id = $1`,
        [id, moment(minutes), verdict],
      )
      return id
    },
    async correlated(count: number): Promise<Correlation[]> {
      let items: Correlation[] = []
      await until(`${count} correlations`, async () => {
        items = (await send('GET', '/correlations?order=asc')).body.items
        return items.length >= count
      })
      return items
    },
    settled: () =>
      until('every signal was looked at', async () => {
        const due = await soc.query('SELECT FROM correlation_signals WHERE NOT is_done')
        return due.length === 0
      }),
  }
}

const lateral = { mitre_techniques: ['T1021.002'], host: 'eng-ws-02' }

test('a contraindicated attestation within an hour of lateral movement at its site', async (t) => {
  const { soc, as, alert, attested, correlated, ask } = await started(t)
  const address = await soc.http.listen({ host: '127.0.0.1', port: 0 })
  const stream = await readEvents(t, address, as)
  const moved = await alert('Remote service on eng-ws-02', -40, lateral)
  const failed = await attested('plc-pump-03', 0)
  const [one] = await correlated(1)
  assert.partialDeepStrictEqual(one, {
    rule_id: LATERAL,
    severity: 'critical',
    site_id: 'station',
    first_at: moment(-40),
    last_at: moment(0),
    evidence: [
      { kind: 'alert', id: moved, role: 'other', host: 'eng-ws-02' },
      { kind: 'attestation', id: failed, role: 'anchor', host: 'plc-pump-03' },
    ],
  })
  assert.match(one?.why ?? '', /contraindicated, the firmware is unknown.* within an hour of alert/)
  assert.deepEqual(await ask(`/correlations/${one?.id}`), one)
  assert.equal((await ask(`/correlations?evidence_id=${moved}`)).total, 1)
  assert.equal((await ask('/correlations?host=PLC-pump-03')).total, 1)
  assert.equal((await ask('/correlations?site_id=office')).total, 0)
  await until('the event', () => stream.names().includes('correlation.created'))
  const { items } = await ask('/audit?action=correlation.create')
  assert.equal(items[0].target, `correlation:${one?.id}`)
})

test('what is too early, elsewhere or affirming is no correlation', async (t) => {
  const { alert, attested, settled, ask } = await started(t)
  await alert('Remote service', -61, lateral)
  await alert('Remote service at the office', -5, { ...lateral, site_id: 'office' })
  await alert('Phishing', -5, { mitre_techniques: ['T1566'] })
  await attested('plc-pump-03', 0)
  await attested('plc-pump-04', 0, 'affirming', 'office')
  await settled()
  assert.deepEqual((await ask('/correlations')).items, [])
})

test('a late event completes it, in whatever order they come, and once', async (t) => {
  const { soc, alert, attested, correlated, settled } = await started(t)
  await attested('plc-pump-03', 0)
  await settled()
  await alert('Remote service', 30, lateral)
  const [first] = await correlated(1)
  await alert('Remote service, told late', -50, lateral)
  await until('the late one', async () => (await correlated(1))[0]?.evidence_count === 3)
  const [after] = await correlated(1)
  assert.equal(after?.id, first?.id)
  assert.equal(after?.first_at, moment(-50))
  // Once more over the same signals, as after a process that died before its commit.
  await soc.query('UPDATE correlation_signals SET is_done = false')
  await settled()
  assert.deepEqual(await correlated(1), [after])
})

test('an alert that repeats is a signal again, at its new time', async (t) => {
  const { alert, attested, correlated, settled } = await started(t)
  const id = await alert('Remote service', -600, lateral)
  await attested('plc-pump-03', 0)
  await settled()
  assert.equal(await alert('Remote service', -10, lateral), id)
  const [one] = await correlated(1)
  assert.deepEqual([one?.first_at, one?.evidence[0]?.id], [moment(-10), id])
})

test('the site of an alert is that of its endpoint or its device when it says none', async (t) => {
  const { soc, alert, attested, correlated } = await started(t)
  await soc.query(
    `INSERT INTO edr_endpoints (id, hostname, ips, status, site_id, first_seen_at, last_seen_at)
     VALUES (gen_random_uuid(), 'ENG-ws-02', '{}', 'unknown', 'station', now(), now())`,
  )
  await alert('Remote service', -40, { ...lateral, site_id: null })
  await attested('plc-pump-03', 0)
  assert.equal((await correlated(1))[0]?.site_id, 'station')
})

const RULE = {
  name: 'Phishing before a write',
  same: ['site'],
  within_minutes: 30,
  anchor: { sources: ['historian'] },
  others: [{ marks: ['T1566'], when: 'before' }],
}

test('rules are data: add, preview over the past, change, delete', async (t) => {
  const { alert, settled, send, ask, correlated } = await started(t)
  await alert('Phishing', -20, { mitre_techniques: ['T1566.001'] })
  await alert('Setpoint changed', 0, { source: 'historian' })
  await settled()
  const over = { from: moment(-1440), to: moment(1440) }
  const preview = await send('POST', '/correlations/rules/preview', { rule: RULE, ...over })
  assert.partialDeepStrictEqual(preview.body, { total: 1, signals: 2, partial: false })
  assert.equal(preview.body.items[0].evidence.length, 2)
  assert.equal((await ask('/correlations')).total, 0)

  const { status, body: rule } = await send('POST', '/correlations/rules', RULE)
  assert.deepEqual([status, rule.severity, rule.is_shipped], [201, 'high', false])
  const again = await send('POST', '/correlations/rules/preview', { rule_id: rule.id, ...over })
  assert.deepEqual(again.body.items, preview.body.items)

  await alert('Phishing again', -5, { mitre_techniques: ['T1566.002'] })
  const [one] = await correlated(1)
  assert.deepEqual([one?.rule_id, one?.evidence_count], [rule.id, 3])

  await send('PATCH', `/correlations/rules/${rule.id}`, { within_minutes: 1, severity: 'low' })
  const narrow = await send('POST', '/correlations/rules/preview', { rule_id: rule.id, ...over })
  assert.equal(narrow.body.total, 0)
  await send('DELETE', `/correlations/rules/${rule.id}`)
  assert.equal((await ask(`/correlations/${one?.id}`)).rule_id, null)
})

test('a rule that is off finds nothing', async (t) => {
  const { alert, attested, settled, send, ask } = await started(t)
  const { body } = await send('PATCH', `/correlations/rules/${LATERAL}`, { enabled: false })
  assert.deepEqual([body.enabled, body.is_shipped], [false, true])
  await alert('Remote service', -10, lateral)
  await attested('plc-pump-03', 0)
  await settled()
  assert.equal((await ask('/correlations')).total, 0)
})

const REFUSED: [object, RegExp][] = [
  [{ ...RULE, name: ' ' }, /^name: must not be empty/],
  [{ ...RULE, same: [] }, /^same: /],
  [{ ...RULE, same: ['moon'] }, /^same\.0: /],
  [{ ...RULE, within_minutes: 0 }, /^within_minutes: /],
  [{ ...RULE, within_minutes: '60' }, /^within_minutes: /],
  [{ ...RULE, anchor: {} }, /^anchor: must say which/],
  [{ ...RULE, anchor: { query: 'x' } }, /^anchor\.query: is not a known field/],
  [{ ...RULE, others: [] }, /^others: /],
  [{ ...RULE, others: [{ verdicts: ['fine'] }] }, /^others\.0\.verdicts\.0: /],
]
test('POST /correlations/rules refuses what is no rule, by its field', async (t) => {
  const { send } = await started(t)
  for (const [body, expected] of REFUSED) {
    const reply = await send('POST', '/correlations/rules', body)
    assert.equal(reply.status, 400, JSON.stringify(body))
    assert.match(reply.body.detail, expected)
  }
  const both = await send('POST', '/correlations/rules/preview', { rule: RULE, rule_id: LATERAL })
  assert.match(both.body.detail, /^rule: send either/)
  const long = { rule: RULE, from: '2020-01-01T00:00:00Z', to: '2026-01-01T00:00:00Z' }
  const far = await send('POST', '/correlations/rules/preview', long)
  assert.match(far.body.detail, /^from: must lie at most 90 days/)
})

test('who may write rules: detection engineers, not analysts', async (t) => {
  const { soc } = await started(t)
  const call = async (role: 'analyst' | 'detection_engineer') =>
    (await soc.call('POST', '/correlations/rules', { as: await soc.signInAs(role), body: RULE }))
      .status
  assert.deepEqual([await call('analyst'), await call('detection_engineer')], [403, 201])
})

test('dry_run: correlations are stored as what a pipeline records', async (t) => {
  const { soc } = await started(t)
  await soc.stop()
  const dry = await startTestSoc(t, { mode: 'dry_run', connection: soc.connection })
  const other = sending(dry, await dry.signIn())
  await other.attested('plc-pump-03', 0)
  await soc.query(
    `INSERT INTO alerts (id, title, source, severity, status, iocs, site_id, tags,
       mitre_techniques, dedup_hash, first_seen_at, last_seen_at)
     VALUES (gen_random_uuid(), 'Remote service', 'detection', 'high', 'new', '{}', 'station', '{}',
       '{T1021}', 'x', $1, $1)`,
    [moment(3)],
  )
  assert.equal((await other.correlated(1)).length, 1)
})
