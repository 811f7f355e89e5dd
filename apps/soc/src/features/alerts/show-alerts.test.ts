import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type Alert, AlertListQuery } from '@manara/soc-contract/alerts'
import { showOne } from '../../showcase/query.ts'
import { showAlerts } from './show-alerts.ts'

const shown = (id: string, fields: Partial<Alert>): Alert => ({
  id,
  title: `Alert ${id}`,
  description: null,
  source: 'ids',
  source_ref: null,
  severity: 'low',
  status: 'new',
  resolution: null,
  iocs: [],
  host: null,
  site_id: null,
  assignee: null,
  tags: [],
  rule_id: null,
  mitre_techniques: [],
  dedup_hash: '',
  occurrence_count: 1,
  first_seen_at: '2026-01-01T00:00:00.000Z',
  last_seen_at: '2026-01-01T00:00:00.000Z',
  acknowledged_by: null,
  acknowledged_at: null,
  closed_by: null,
  closed_at: null,
  reopened_count: 0,
  reopened_at: null,
  case_id: null,
  raw: null,
  created_at: '2026-01-01T00:00:00.000Z',
  updated_at: '2026-01-01T00:00:00.000Z',
  ...fields,
})
const ALERTS = [
  shown('a', { severity: 'critical', tags: ['c2'] }),
  shown('b', { created_at: '2026-01-02T00:00:00.000Z', host: 'web-1' }),
  shown('c', { created_at: '2026-01-03T00:00:00.000Z', status: 'closed' }),
]
const ids = (query: object) =>
  showAlerts(ALERTS, AlertListQuery.parse(query)).items.map(({ id }) => id)

const TABLE: [query: object, expected: string[]][] = [
  [{}, ['c', 'b', 'a']],
  [{ order: 'asc' }, ['a', 'b', 'c']],
  [{ sort: 'severity', limit: '1' }, ['a']],
  [{ status: 'closed' }, ['c']],
  [{ host: 'web-1' }, ['b']],
  [{ tag: 'c2' }, ['a']],
  [{ from: '2026-01-02T00:00:00Z', to: '2026-01-03T00:00:00Z' }, ['b']],
  [{ q: 'ALERT B' }, ['b']],
  [{ skip: '1', limit: '1' }, ['b']],
]
for (const [query, expected] of TABLE) {
  test(`the showcase lists ${JSON.stringify(query)}`, () => assert.deepEqual(ids(query), expected))
}

test('the showcase is paged by cursor too', () => {
  const first = showAlerts(ALERTS, AlertListQuery.parse({ limit: '2' }))
  assert.equal(first.total, 3)
  assert.deepEqual(ids({ limit: '2', cursor: first.next_cursor }), ['a'])
  assert.throws(() => ids({ cursor: 'x' }), /^AppError: cursor: /)
})

test('an alert that the showcase does not have is 404', () => {
  assert.equal(showOne('alert', ALERTS, 'b').host, 'web-1')
  assert.throws(() => showOne('alert', ALERTS, 'z'), /alert z not found/)
})
