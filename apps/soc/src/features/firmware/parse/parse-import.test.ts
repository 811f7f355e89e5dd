import assert from 'node:assert/strict'
import { test } from 'node:test'
import { readImport } from './parse-import.ts'

const REFUSED: [string, string, boolean, RegExp][] = [
  ['nothing', '', true, /^body: /],
  [
    'no heading',
    'a,b\n1,2',
    true,
    /^body: line 1: the heading must name vendor, product, version, sha256/,
  ],
  ['broken JSON', '{"bomFormat":', false, /^body: is not valid JSON/],
  ['other JSON', '{"a":1}', false, /^body: is neither CycloneDX/],
  ['SPDX 3', '{"spdxVersion":"SPDX-3.0"}', false, /^spdxVersion: /],
  [
    'components that are no list',
    '{"bomFormat":"CycloneDX","components":{}}',
    false,
    /^components: must be a list/,
  ],
  [
    'too many components',
    JSON.stringify({ bomFormat: 'CycloneDX', components: Array(50_001).fill(1) }),
    false,
    /^components: has more than 50000/,
  ],
]

for (const [name, text, isCsv, expected] of REFUSED) {
  test(`${name}: refused with what is wrong`, () => {
    const read = readImport({ text, isCsv, about: {} })
    assert.match('problem' in read ? read.problem : '', expected)
  })
}

const bill = (components: object[]) =>
  readImport({
    text: JSON.stringify({ bomFormat: 'CycloneDX', components }),
    isCsv: false,
    about: { vendor: 'Wadi Controls', product: 'WX-200', version: '3.8.0', sha256: 'a'.repeat(64) },
  })

test('a bill that nests without an end is refused', () => {
  let deep: object[] = []
  for (let level = 0; level < 200; level += 1) deep = [{ name: 'x', components: deep }, {}]
  assert.deepEqual(bill(deep), { problem: 'components: lie more than 100 levels deep' })
})

test('no character is cut in half', () => {
  const tap = '\u{1f6b0}'
  const read = bill([
    { name: `${'x'.repeat(299)}${tap}` },
    { group: 'y'.repeat(199), name: tap.repeat(60) },
  ])
  const [firmware] = 'problem' in read ? assert.fail(read.problem) : read.firmware
  const names = firmware?.components?.map(({ name }) => name) ?? []
  assert.equal(names.length, 2)
  for (const name of names) assert.ok(name.isWellFormed())
})
