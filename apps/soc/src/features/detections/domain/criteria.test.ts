import assert from 'node:assert/strict'
import { test } from 'node:test'
import { compilePredicate } from '@manara/log-query/predicate'
import { literalCriterion } from '@manara/soc-contract/literal-criterion'
import type { Criteria } from '@manara/soc-contract/suppressions'
import { storedLog } from '../../../testing/stored-log.ts'
import { criteriaQuery } from './criteria.ts'

const log = storedLog({
  host: 'Web-01',
  src_ip: '10.1.2.3',
  message: 'what? a * star',
  fields: {
    EventID: 4625,
    Image: 'C:\\Windows\\System32\\cmd.exe',
    elevated: true,
    tags: ['x', 'y'],
  },
})

const examples: [Criteria, boolean][] = [
  [{ host: 'web-01' }, true],
  [{ host: 'web' }, false],
  [{ host: 'web-*' }, true],
  [{ host: 'web-0?' }, true],
  [{ host: ['db-*', 'web-01'] }, true],
  [{ host: ['db-1', 'db-2'] }, false],
  [{ src_ip: '10.0.0.0/8' }, true],
  [{ src_ip: ['192.168.0.0/16', '10.1.2.3/32'] }, true],
  [{ src_ip: '192.168.0.0/16' }, false],
  [{ EventID: 4625 }, true],
  [{ EventID: '4625', elevated: true }, true],
  [{ EventID: 4625, elevated: false }, false],
  [{ tags: 'y' }, true],
  [{ Image: 'C:\\Windows\\System32\\cmd.exe' }, true],
  [{ Image: '*\\cmd.exe' }, true],
  [{ message: 'what\\? a \\* star' }, true],
  [{ message: 'what\\? a \\* s' }, false],
  [{ absent: '*' }, false],
]

for (const [criteria, holds] of examples) {
  test(`${JSON.stringify(criteria)} ${holds ? 'holds' : 'does not hold'} the event`, () => {
    assert.equal(compilePredicate(criteriaQuery(criteria))(log), holds)
  })
}

test('a literal criterion means exactly its value', () => {
  for (const value of ['plain', 'C:\\a\\*.exe', 'a?b', '\\\\server\\share', '\\?\\']) {
    const holds = compilePredicate(criteriaQuery({ f: literalCriterion(value) }))
    assert.ok(holds(storedLog({ fields: { f: value } })), value)
    assert.ok(
      !holds(storedLog({ fields: { f: value.replace(/[*?s]/, 'zz') } })) || !/[*?s]/.test(value),
    )
  }
})

test('a literal criterion of a value that is written as a network holds no address of it', () => {
  for (const [value, address] of [
    ['0.0.0.0/0', '10.1.2.3'],
    ['2001:DB8::/32', '2001:db8::1'],
  ] as const) {
    const holds = compilePredicate(criteriaQuery({ f: literalCriterion(value) }))
    assert.ok(holds(storedLog({ fields: { f: value } })), value)
    assert.ok(!holds(storedLog({ fields: { f: address } })), value)
  }
})

test('a literal criterion of what only looks like a network holds nothing longer', () => {
  for (const value of ['1/2', 'a.b/1', '0:1/0', '10.0.0/8']) {
    const holds = compilePredicate(criteriaQuery({ f: literalCriterion(value) }))
    assert.ok(holds(storedLog({ fields: { f: value } })), value)
    assert.ok(!holds(storedLog({ fields: { f: `${value}4` } })), value)
  }
})
