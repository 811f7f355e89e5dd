import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { type TestContext, test } from 'node:test'
import { openDuckdbLogs } from '../../../adapters/duckdb-logs.ts'
import { storedLog } from '../../../testing/stored-log.ts'
import { silentLog } from '../../../testing/test-postgres.ts'
import { startTestSoc } from '../../../testing/test-soc.ts'
import { readRetention } from './read-retention.ts'

const DAY = 86_400_000
const NOW = Date.parse('2026-11-15T12:00:00Z')

/** Two sources, an event of each that came in on each of the last ten days. */
async function tenDays(t: TestContext) {
  const directory = mkdtempSync(path.join(tmpdir(), 'soc-retention-'))
  const logs = openDuckdbLogs({ directory, log: silentLog })
  t.after(async () => {
    await logs.close()
    rmSync(directory, { recursive: true, force: true })
  })
  for (let day = 10; day > 0; day -= 1) {
    const at = NOW - day * DAY
    const of = (source: string) =>
      storedLog({ id: `${source} ${day}`, at, received_at: at, source })
    await logs.append([of('dns'), of('sshd')])
  }
  return logs
}

test('what a preview says would go is what goes', async (t) => {
  const logs = await tenDays(t)
  const retention = { days: undefined, bytes: undefined, daysBySource: {} }
  const deps = { logs, diskRoom: () => undefined, retention, now: () => NOW }
  const asIs = await readRetention(deps, {}, {})
  assert.deepEqual([asIs.events, asIs.goes], [20, { events: 0, bytes: 0 }])

  const tried = await readRetention(deps, { days: 7, by_source: { dns: 2 } }, {})
  assert.deepEqual(tried.sources.map(({ source, days, goes }) => [source, days, goes]).toSorted(), [
    ['dns', 2, 8],
    ['sshd', 7, 3],
  ])
  assert.deepEqual(tried.set, { days: null, bytes: null, by_source: {} })
  const { dropped } = await logs.retain(
    { days: 7, bytes: undefined, daysBySource: { dns: 2 } },
    NOW,
  )
  assert.equal(dropped, tried.goes.events)
  const after = await readRetention(deps, { days: 7, by_source: { dns: 2 }, bytes: 1 }, {})
  assert.deepEqual([after.goes.events, after.goes.bytes], [0, after.bytes - 1])
})

test('GET /siem/retention tells what is set, and names the field that is wrong', async (t) => {
  const soc = await startTestSoc(t)
  const as = await soc.signInAs('viewer')
  const { status, body } = await soc.call('GET', '/siem/retention', { as })
  assert.deepEqual([status, body.limits], [200, { days: null, bytes: null, by_source: {} }])
  const tried = await soc.call('GET', '/siem/retention?days=30&by_source=dns%3D7', { as })
  assert.deepEqual(tried.body.limits, { days: 30, bytes: null, by_source: { dns: 7 } })
  for (const [query, detail] of [
    ['days=x', /^days: /],
    ['by_source=dns', /^by_source: "dns" is not source=days/],
    ['by_source=dns%3D0', /^by_source: /],
  ] as const) {
    const refused = await soc.call('GET', `/siem/retention?${query}`, { as })
    assert.equal(refused.status, 400)
    assert.match(refused.body.detail, detail)
  }
})
