import assert from 'node:assert/strict'
import { test } from 'node:test'
import { IocListQuery } from '@manara/soc-contract/iocs'
import { showOne } from '../../showcase/query.ts'
import { showcase } from '../../showcase/showcase.ts'
import { showIocs } from './show-iocs.ts'

const types = (query: object) =>
  showIocs(showcase.iocs, IocListQuery.parse(query)).items.map(({ type }) => type)

const TABLE: [query: object, expected: string[]][] = [
  [{}, ['ip', 'domain', 'sha256']],
  [{ type: 'domain' }, ['domain']],
  [{ value: '203.0.113[.]45' }, ['ip']],
  [{ min_score: '85' }, ['ip', 'domain']],
  [{ sort: 'score', order: 'asc', limit: '1' }, ['sha256']],
  [{ q: 'INVOICES' }, ['domain']],
  [{ revoked: 'true' }, []],
  [{ sighted: 'false' }, []],
  [{ tag: 'invoice-campaign', source: 'leila', tlp: 'amber' }, ['ip', 'domain', 'sha256']],
  [{ from: '2027-01-01T00:00:00Z' }, []],
  [{ to: '2026-01-01T00:00:00Z' }, []],
  [{ updated_since: '2027-01-01T00:00:00Z' }, []],
]
for (const [query, expected] of TABLE) {
  test(`GET /iocs ${JSON.stringify(query)} over the showcase`, () =>
    assert.deepEqual(types(query), expected))
}

test('one indicator of the showcase, or 404', () => {
  const [first] = showcase.iocs
  assert.equal(showOne('indicator', showcase.iocs, first?.id ?? ''), first)
  assert.throws(() => showOne('indicator', showcase.iocs, 'nobody'), /not found/)
})
