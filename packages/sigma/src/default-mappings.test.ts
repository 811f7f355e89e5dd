import assert from 'node:assert/strict'
import { test } from 'node:test'
import { compilePredicate } from '@manara/log-query/predicate'
import { importOne, logWith, ruleWith } from './testing/sigma-fixture.ts'

const FIREWALL = ['category: firewall', 'dst_port: 22'] as const
const DNS = ['category: dns', 'query: a.example'] as const
const FOUND: [
  rule: readonly [logsource: string, item: string],
  fields: Record<string, string | number>,
][] = [
  [FIREWALL, { dst_port: 22 }],
  [FIREWALL, { 'destination.port': 22 }],
  [FIREWALL, { dstport: '22' }],
  [['category: firewall', 'action: deny'], { 'event.action': 'deny' }],
  [DNS, { 'dns.rrname': 'a.example' }],
  // Suricata 8 has a list of questions, Route 53 names of its own.
  [DNS, { 'dns.queries.rrname': 'a.example' }],
  [DNS, { query_name: 'a.example' }],
]
for (const [[logsource, item], fields] of FOUND) {
  test(`a rule with ${logsource} finds ${JSON.stringify(fields)}`, () => {
    const { query } = importOne(
      ruleWith(`selection:\n    ${item}\ncondition: selection`, logsource),
    )
    const matches = compilePredicate(query)
    assert.equal(matches(logWith(fields)), true)
    assert.equal(matches(logWith({ 'destination.port': 23 })), false)
  })
}
