import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { parseQuery } from '@manara/log-query/parse'
import { compilePredicate } from '@manara/log-query/predicate'
import { anyLog, anyQuery } from '@manara/log-query/testing/arbitrary'
import fc from 'fast-check'
import { parse } from 'yaml'
import { exportSigma } from './export-sigma.ts'
import { importOne } from './testing/sigma-fixture.ts'

const read = (text: string) => {
  const parsed = parseQuery(text, 0)
  assert.ok(parsed.ok)
  return parsed.query
}
const exported = (text: string) => exportSigma({ title: 'Test', query: read(text) })
const yamlOf = (text: string): string => {
  const answer = exported(text)
  return 'yaml' in answer ? answer.yaml : assert.fail(answer.reason)
}

test('a rule is written as people write Sigma', () => {
  const query = read(
    'EventID:(1 OR 2) AND CommandLine:*"a*b"* AND NOT user:root AND (x:/y/ OR z:>3)',
  )
  const answer = exportSigma({
    title: 'Test',
    id: 'r1',
    level: 'high',
    tags: ['attack.t1059'],
    description: null,
    falsepositives: [],
    query,
  })
  assert.deepEqual('yaml' in answer && parse(answer.yaml), {
    title: 'Test',
    id: 'r1',
    tags: ['attack.t1059'],
    logsource: { product: 'manara', service: 'logs' },
    detection: {
      selection_1: { EventID: ['1', '2'], 'CommandLine|contains': 'a\\*b' },
      selection_2: { user: 'root' },
      selection_3: { 'x|re|i': 'y' },
      selection_4: { 'z|gt': 3 },
      condition: 'selection_1 and not selection_2 and (selection_3 or selection_4)',
    },
    level: 'high',
  })
})

describe('comes back as the same query', () => {
  const queries = [
    'host:web-* AND failed',
    'NOT (a:1 AND b:2)',
    'a:"" OR NOT b:*',
    'path:"C:\\\\Temp\\\\" AND path:*"\\\\*"',
    'a:==Exact AND ==Word',
    'src_ip:10.0.0.0/8',
    'user:equals(fields.user) OR a:endswith(b)',
    'a:/x.y/cms',
    '"two words" OR "*"',
    '*',
    'NOT *',
  ]
  for (const query of queries)
    test(query, () => assert.deepEqual(importOne(yamlOf(query)).query, read(query)))
})

describe('what Sigma cannot say has its reason', () => {
  const cases: [query: string, reason: RegExp][] = [
    ['timestamp:>2026-01-01', /no moments/],
    ['a:[1 TO 5]', /between two bounds/],
    ['a:>"b"', /compares numbers, not the text "b"/],
    ['"a|b":x', /cannot name the field "a\|b"/],
  ]
  for (const [query, reason] of cases)
    test(query, () => {
      const answer = exported(query)
      assert.match('reason' in answer ? answer.reason : 'it was exported', reason)
    })
})

test('a generated rule that was exported finds the same events when imported', () => {
  let exportedCount = 0
  fc.assert(
    fc.property(anyQuery, fc.array(anyLog, { minLength: 3, maxLength: 6 }), (query, logs) => {
      const answer = exportSigma({ title: 'Test', query })
      if ('reason' in answer) return
      exportedCount += 1
      const before = compilePredicate(query)
      const after = compilePredicate(importOne(answer.yaml).query)
      for (const log of logs) assert.equal(after(log), before(log))
    }),
    { numRuns: 200 },
  )
  assert.ok(exportedCount > 50)
})
