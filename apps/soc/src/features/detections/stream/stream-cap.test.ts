import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Alert } from '@manara/soc-contract/alerts'
import type { DetectionRule } from '@manara/soc-contract/detections'
import { startTestSoc } from '../../../testing/test-soc.ts'
import { until } from '../../../testing/until.ts'

test('hits beyond the cap of a rule are counted and told, in the stream and in a run', async (t) => {
  const soc = await startTestSoc(t, { ruleHitCap: 10 })
  const as = await soc.signIn()
  const call = (method: string, path: string, body?: unknown) =>
    soc.call(method, path, { as, body })
  const { body: noisy } = await call('POST', '/detections/rules', {
    name: 'Everything',
    query: 'noise:*',
  })
  const { body: quiet } = await call('POST', '/detections/rules', {
    name: 'Quiet',
    query: 'quiet:*',
  })
  const rule = async (): Promise<DetectionRule> =>
    (await call('GET', `/detections/rules/${noisy.id}`)).body
  const alerts = async (query: string): Promise<Alert[]> =>
    (await call('GET', `/alerts?${query}`)).body.items
  const occurrences = async (id: string) =>
    (await alerts(`rule_id=${id}`)).reduce((sum, alert) => sum + alert.occurrence_count, 0)

  const events = Array.from({ length: 25 }, (_, n) => ({ noise: n, host: 'h' }))
  await call('POST', '/siem/logs', { events: [...events, { quiet: 1 }] })
  await until('what is beyond is told', async () => (await rule()).unrecorded_hits >= 15)
  // Each of these is written by itself.
  await until('the other rule', async () => (await occurrences(quiet.id)) > 0)
  await until('the alert', async () => (await alerts('source=detection')).length > 0)
  assert.ok((await rule()).capped_at)
  assert.equal(await occurrences(noisy.id), 10)
  assert.equal(await occurrences(quiet.id), 1, 'another rule has room of its own')
  const [told, ...more] = await alerts('source=detection')
  assert.equal(told?.title, 'Rule "Everything" finds more than is recorded')
  assert.deepEqual(more, [])
  const names = (await soc.query<{ event: string }>('SELECT event FROM outbox')).map(
    ({ event }) => event,
  )
  assert.equal(names.filter((name) => name === 'rule.capped').length, 1)

  // A run has a cap of its own: what the stream has claimed already counts and raises nothing.
  const { body } = await call('POST', `/detections/rules/${noisy.id}/run`)
  assert.equal(body.total, 25)
  assert.deepEqual([body.run.match_count, body.run.unrecorded_count], [25, 15])
  assert.ok((await rule()).unrecorded_hits >= 30)
  const { body: changed } = await call('PATCH', `/detections/rules/${noisy.id}`, {
    query: 'noise:1',
  })
  assert.deepEqual([changed.unrecorded_hits, changed.capped_at], [0, null])
})
