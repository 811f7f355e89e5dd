import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { importSigma } from './import-sigma.ts'
import { logWith, matches, ruleWith } from './testing/sigma-fixture.ts'

const OWN = `
mappings:
    - product: Windows
      category: process_creation
      condition: 'source:edr AND kind:process'
    - product: windows
      category: process_creation
      fields:
          Image: [exe_path]
    - fields:
          cs-method: verb
`
const rule = (item: string, logsource: string) =>
  ruleWith(`s:\n    ${item}\ncondition: s`, logsource)
const PROCESS = 'product: windows\n    category: process_creation'

describe("a user's own mappings", () => {
  test('go before the built-in condition and names', () => {
    const image = rule('Image: x', PROCESS)
    const event = { ...logWith({ kind: 'process', exe_path: 'X' }), source: 'edr' }
    assert.ok(matches(image, event, OWN))
    assert.ok(!matches(image, logWith({ kind: 'process', exe_path: 'X' }), OWN))
  })

  test('leave what they do not speak of as it is', () => {
    const provider = rule('Provider_Name: x', PROCESS)
    const event = { ...logWith({ kind: 'process', SourceName: 'X' }), source: 'edr' }
    assert.ok(matches(provider, event, OWN))
  })

  test('without a logsource are for every rule', () => {
    const method = rule('cs-method: post', 'category: webserver')
    assert.ok(matches(method, logWith({ verb: 'POST' }), OWN))
    assert.ok(!matches(method, logWith({ 'cs-method': 'POST' }), OWN))
  })
})

describe('while they are wrong no rule is imported', () => {
  const cases: [text: string, reason: RegExp][] = [
    ['- a', /sigma-mappings.yml: it is a map/],
    ['mapings: []', /mapings is neither mappings nor placeholders/],
    ['mappings: {}', /mappings is a list/],
    ['mappings: [x]', /mapping 1 is no map/],
    ['mappings: [{prodcut: x}]', /mapping 1: prodcut is none of product/],
    ["mappings: [{condition: 'a AND'}]", /mapping 1: condition: .* at column/],
    ['mappings: [{fields: [a]}]', /mapping 1: fields is a map of lists/],
    ['mappings: [{fields: {a: []}}]', /mapping 1: fields: a is empty/],
    ['placeholders: {a: []}', /placeholders: a is empty/],
    ['- [', /not YAML/],
  ]
  for (const [content, reason] of cases) {
    test(reason.source, () => {
      const { rules, skipped } = importSigma([
        { name: 'a.yml', content: rule('A: 1', PROCESS) },
        { name: 'sigma-mappings.yml', content },
      ])
      assert.deepEqual(rules, [])
      assert.deepEqual(
        skipped.map(({ file }) => file),
        ['a.yml', 'sigma-mappings.yml'],
      )
      assert.match(skipped[0]?.reason ?? '', reason)
    })
  }
})
