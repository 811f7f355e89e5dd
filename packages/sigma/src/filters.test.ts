import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { compilePredicate } from '@manara/log-query/predicate'
import { printQuery } from '@manara/log-query/print'
import { importSigma } from './import-sigma.ts'
import type { ImportedQuery } from './imported.ts'
import { logWith } from './testing/sigma-fixture.ts'

const rule = (name: string, category = 'process_creation') => `title: ${name}
id: id-of-${name}
name: ${name}
logsource: { product: windows, category: ${category} }
detection: { selection: { Image|endswith: '\\${name}.exe' }, condition: selection }
`
const filter = (
  rules: string,
  rest = "selection: {User|startswith: 'adm_'}\n  condition: not selection",
) =>
  `title: Administrators
logsource: { product: windows, category: process_creation }
filter:
  rules: ${rules}
  ${rest}
`
const started = (image: string, User: string) =>
  logWith({
    Channel: 'Microsoft-Windows-Sysmon/Operational',
    EventID: 1,
    Image: `C:\\${image}.exe`,
    User,
  })

const read = (...contents: string[]) => {
  const files = contents.map((content, at) => ({ name: `${at}.yml`, content }))
  const { rules, skipped } = importSigma(files)
  const one = (name: string) => rules.find((found) => found.rule.name === name) as ImportedQuery
  const finds = (name: string, user: string) =>
    compilePredicate(one(name).query)(started(name, user))
  return { one, finds, reasons: skipped.map(({ reason }) => reason), rules }
}

describe('a filter', () => {
  test('narrows the rules it names by id or name, wherever it stands, and no others', () => {
    const { finds, one, reasons, rules } = read(
      filter('[id-of-whoami, net]'),
      rule('whoami'),
      rule('net'),
      rule('cmd'),
    )
    assert.deepEqual(reasons, [])
    assert.equal(rules.length, 3)
    for (const name of ['whoami', 'net']) {
      assert.ok(finds(name, 'ali'))
      assert.ok(!finds(name, 'ADM_ali'))
      assert.deepEqual(one(name).notes, ['the filter "Administrators" leaves events out'])
    }
    assert.ok(finds('cmd', 'adm_ali'))
    assert.deepEqual(one('cmd').notes, [])
  })

  test('of any rule is for those of its logsource', () => {
    const { finds, one, reasons } = read(
      rule('whoami'),
      rule('driver', 'driver_load'),
      filter('any'),
    )
    assert.deepEqual(reasons, [])
    assert.ok(!finds('whoami', 'adm_ali'))
    assert.deepEqual(one('driver').notes, [])
  })

  test('its condition has to hold as well: without "not" nothing else is found, and that is said', () => {
    const only = filter('whoami', "selection: {User|startswith: 'adm_'}\n  condition: selection")
    const { finds, one } = read(rule('whoami'), only)
    assert.ok(finds('whoami', 'adm_ali'))
    assert.ok(!finds('whoami', 'ali'))
    assert.match(one('whoami').notes.join(), /"Administrators" leaves only events that match it/)
  })

  test('its fields are called as those of the rule are', () => {
    const settings = `mappings:
  - product: windows
    category: process_creation
    fields: { User: [User, SubjectUserName] }`
    const { rules } = importSigma([
      { name: 'sigma-mappings.yml', content: settings },
      {
        name: 'a.yml',
        content: `${rule('whoami')}---\n${filter('whoami').replace(/, category.*\}/, ' }')}`,
      },
    ])
    const [one] = rules as ImportedQuery[]
    assert.match(printQuery(one?.query ?? { kind: 'all' }), /SubjectUserName:adm_\*/)
  })

  test('goes with its rule: the YAML of the rule alone has it, and names no other', () => {
    const { one } = read(rule('whoami'), rule('net'), filter('[whoami, net]'))
    const { source, query } = one('whoami')
    const again = read(source)
    assert.deepEqual(again.reasons, [])
    assert.deepEqual(again.one('whoami').query, query)
    assert.ok(source.startsWith(rule('whoami')))
  })

  test('holds for what a correlation counts', () => {
    const correlation = `title: Many
correlation: { type: event_count, rules: whoami, timespan: 5m, condition: { gte: 9 } }`
    const { rules } = read(rule('whoami'), filter('whoami'), correlation)
    const found = rules.find((one) => one.kind === 'correlation')
    const counted = found?.queries.whoami
    assert.ok(counted && !compilePredicate(counted)(started('whoami', 'adm_ali')))
    assert.deepEqual(found?.notes, [
      'its rule whoami: the filter "Administrators" leaves events out',
    ])
  })

  const correlation = `title: Many
name: many
correlation: { type: event_count, rules: whoami, timespan: 5m, condition: { gte: 9 } }`
  const cases: [what: string, contents: string[], reason: RegExp][] = [
    [
      'a rule that is not there',
      [filter('[whoami, gone]')],
      /^filter: not for gone, which is not among/,
    ],
    ['many that are not there', [filter('[a, b, c, d, e, f, g]')], /; and 2 more$/],
    [
      'a rule of another logsource',
      [rule('load', 'image_load'), filter('load')],
      /load, whose logsource is another/,
    ],
    [
      'a correlation',
      [correlation, filter('many')],
      /many, which is a correlation: name its rules/,
    ],
    [
      'any rule where there is none',
      [filter('any').replace('windows', 'linux')],
      /no rule of its logsource/,
    ],
    ['no rules', [filter('[]')], /filter: rules is missing/],
    ['no condition', [filter('whoami', 'selection: {A: 1}')], /filter: condition is missing/],
    [
      'a selection that is not there',
      [filter('whoami', 'condition: not selection')],
      /filter: condition: there is no selection named selection/,
    ],
    [
      'a modifier nobody knows',
      [filter('whoami', 'selection: {A|b: 1}\n  condition: not selection')],
      /filter: selection: A\|b: the modifier b/,
    ],
    ['no logsource', [filter('whoami').replace(/logsource.*\n/, '')], /logsource is missing/],
    [
      'a detection beside it',
      [`${rule('x')}${filter('x').slice(filter('x').indexOf('filter:'))}`],
      /a document of its own/,
    ],
  ]
  for (const [what, contents, reason] of cases)
    test(`says so when it is for ${what}`, () => {
      const { reasons, one } = read(rule('whoami'), ...contents)
      assert.equal(reasons.length, 1)
      assert.match(reasons[0] ?? '', reason)
      assert.ok(one('whoami'))
    })

  test('that would be written into too many rules is refused there, with the reason', () => {
    const long = filter('any').replace('title:', `description: ${'x'.repeat(1024 * 1024)}\ntitle:`)
    const many = Array.from({ length: 40 }, (_, n) => rule(`run${n}`))
    const { rules, reasons } = read(long, ...many)
    assert.equal(rules.length + reasons.length, many.length)
    assert.ok(rules.length > 20 && reasons.length > 0)
    assert.match(reasons[0] ?? '', /filters would be written more than 32 MB long/)
  })
})
