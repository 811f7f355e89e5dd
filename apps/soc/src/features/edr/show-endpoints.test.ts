import assert from 'node:assert/strict'
import { test } from 'node:test'
import { EndpointListQuery } from '@manara/soc-contract/edr'
import { showOne } from '../../showcase/query.ts'
import { showcase } from '../../showcase/showcase.ts'
import { countEndpoints } from './edr-stats.ts'
import { showEndpoints, shownEndpoints } from './show-endpoints.ts'

const endpoints = shownEndpoints(showcase)
const names = (query: object) =>
  showEndpoints(endpoints, EndpointListQuery.parse(query)).items.map(({ hostname }) => hostname)

const TABLE: [query: object, expected: string[]][] = [
  [{}, ['fin-ws-07', 'eng-ws-02', 'dc-01', 'web-01']],
  [{ isolation: 'isolated' }, ['fin-ws-07']],
  [{ os: 'debian' }, ['web-01']],
  [{ hostname: 'DC-01' }, ['dc-01']],
  [{ ip: '192.0.2.80' }, ['web-01']],
  [{ label: 'engineering' }, ['eng-ws-02']],
  [{ q: 'WS', status: 'online', limit: '1' }, ['fin-ws-07']],
  [{ status: 'offline' }, []],
  [{ site_id: 'elsewhere' }, []],
  [{ from: '2027-01-01T00:00:00Z' }, []],
  [{ to: '2025-01-01T00:00:00Z' }, []],
  [{ updated_since: '2027-01-01T00:00:00Z' }, []],
]
for (const [query, expected] of TABLE) {
  test(`GET /edr/endpoints ${JSON.stringify(query)} over the showcase`, () =>
    assert.deepEqual(names(query), expected))
}

test('one endpoint of the showcase, or 404', () => {
  assert.equal(showOne('endpoint', endpoints, endpoints[0]?.id ?? ''), endpoints[0])
  assert.throws(() => showOne('endpoint', endpoints, 'nobody'), /not found/)
})

test('GET /edr/stats over the showcase', () => {
  const adapter = {
    name: 'none',
    configured: false,
    missing_setting: 'EDR_URL',
    last_poll_at: null,
    last_error: null,
  }
  const stats = countEndpoints(endpoints, adapter)
  assert.deepEqual([stats.total, stats.by_isolation.isolated, stats.by_status.online], [4, 1, 4])
})
