import assert from 'node:assert/strict'
import { test } from 'node:test'
import { compilePredicate } from '@manara/log-query/predicate'
import { importOne, logWith, matches, ruleWith } from './testing/sigma-fixture.ts'

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
    const isFound = compilePredicate(query)
    assert.equal(isFound(logWith(fields)), true)
    assert.equal(isFound(logWith({ 'destination.port': 23 })), false)
  })
}

test('what is typed at a Cisco is looked for in lines that tell of a command', () => {
  const rule = ruleWith(
    "keywords:\n    - 'username'\n    - 'aaa'\ncondition: keywords",
    'product: cisco\n    service: aaa',
  )
  const isFound = (message: string, fields = {}) => matches(rule, logWith(fields, message))
  const typed = '%PARSER-5-CFGLOG_LOGGEDCMD: User:eve  logged command:username mallory privilege 15'
  assert.equal(isFound(typed), true)
  assert.equal(isFound("%ASA-5-111008: User 'eve' executed the 'no aaa new-model' command."), true)
  const ise = { CmdSet: '[ CmdAV=username CmdArgAV=mallory ]' }
  assert.equal(matches(rule, { ...logWith(ise), source: 'cisco_ise' }), true)
  assert.equal(isFound('%ASA-6-113004: AAA user authentication Successful : user = eve'), false)
  assert.equal(isFound('command: username mallory'), false)
})
