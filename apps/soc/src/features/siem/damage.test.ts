import assert from 'node:assert/strict'
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { test } from 'node:test'
import { keyWith } from '../../testing/log-sender.ts'
import { startTestSoc } from '../../testing/test-soc.ts'
import { until } from '../../testing/until.ts'

test('a damaged log file is in every answer, in /health, in the metrics and an alert', async (t) => {
  const dataDir = mkdtempSync(path.join(tmpdir(), 'soc-damage-'))
  t.after(() => rmSync(dataDir, { recursive: true, force: true }))
  const first = await startTestSoc(t, { dataDir })
  const key = await keyWith(first, 'siem:ingest')
  for (let at = 0; at < 10; at += 1) {
    await first.http.inject({
      ...{ method: 'POST', url: '/api/v1/siem/logs', headers: { 'x-api-key': key } },
      payload: [{ message: `event ${at}` }],
    })
  }
  assert.equal((await first.call('GET', '/health')).body.status, 'ok')
  await first.stop()
  const logs = path.join(dataDir, 'logs')
  const [wal = ''] = readdirSync(logs).filter((file) => file.endsWith('.wal'))
  const bytes = readFileSync(path.join(logs, wal))
  writeFileSync(path.join(logs, wal), bytes.fill(0, bytes.length - 64))

  const soc = await startTestSoc(t, { dataDir })
  const as = await soc.signIn()
  // The very first answer after the start.
  const { body } = await soc.call('GET', '/siem/logs', { as })
  assert.ok(body.total >= 5 && body.total < 10, `${body.total} are left`)
  assert.equal(body.partial.reason, 'damaged')
  for (const route of ['histogram', 'fields', 'fields/message/values']) {
    const answer = await soc.call('GET', `/siem/${route}`, { as })
    assert.equal(answer.body.partial?.reason, 'damaged', route)
  }
  const exported = await soc.http.inject({
    ...{ url: '/api/v1/siem/export', headers: { authorization: `Bearer ${as}` } },
  })
  assert.match(String(exported.headers['x-partial']), /^damaged: /)
  const health = await soc.call('GET', '/health')
  assert.partialDeepStrictEqual(health.body, { status: 'degraded', log_store: 'damaged' })
  const metrics = (await soc.http.inject('/metrics')).body
  assert.match(metrics, /^soc_log_store_damages 1$/m)
  assert.match(metrics, new RegExp(`^soc_log_store_lost_events ${10 - body.total}$`, 'm'))
  await until('the alert', async () => {
    const alerts = await soc.call('GET', '/alerts?source=platform', { as })
    return alerts.body.items.some(({ title }: { title: string }) => /is damaged, found/.test(title))
  })
})
