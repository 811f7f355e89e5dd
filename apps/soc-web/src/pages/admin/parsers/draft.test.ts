import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { ParserDefinition } from '@manara/soc-contract/parsers'
import { definitionOf, draftOf, isBegun, marked, sampleDraftsOf, samplesOf } from './draft.ts'

const DEFINITIONS: ParserDefinition[] = [
  { kind: 'grok', pattern: '%{DOOR:door} by %{USER:user}', definitions: { DOOR: '[a-z]+ door' } },
  { kind: 'dissect', pattern: '%{a} - %{b}' },
  { kind: 'json', paths: { src_ip: '$.client.addresses[0]', 'a.b': "$['x = y']" } },
  { kind: 'json', from: 'payload', paths: { user: '$.u' } },
  { kind: 'key_value', pair_separator: ' ', value_separator: '=', rename: { srcip: 'src_ip' } },
  { kind: 'key_value', pair_separator: ';', value_separator: ':', rename: {} },
]
for (const definition of DEFINITIONS) {
  test(`typed and read again it is the same: ${JSON.stringify(definition)}`, () => {
    assert.deepEqual(definitionOf(draftOf(definition)), definition)
  })
}

test('samples are typed a field a line; one without text is left out', () => {
  const samples = [
    { text: 'door north opened', expect: { door: 'north', note: 'a = b' } },
    { text: 'window', expect: {} },
  ]
  assert.deepEqual(samplesOf(sampleDraftsOf(samples)), samples)
  assert.deepEqual(samplesOf([{ text: ' ', expect: 'a = b' }]), [])
})

test('nothing is tried before something is said', () => {
  assert.equal(isBegun(draftOf()), false)
  assert.equal(isBegun({ ...draftOf(), pattern: '%{WORD:a}' }), true)
  assert.equal(isBegun({ ...draftOf(), kind: 'json', pattern: 'left from grok' }), false)
})

const COMPLAINTS: [pattern: string, complaint: string, wrong: string | undefined][] = [
  ['a %{FOO:b} c', 'definition: pattern: %{FOO} is not known', '%{FOO:b}'],
  ['%{WORD:a:money}', 'definition: pattern: money is no type: use int or float', 'money'],
  ['x(?=y)', 'definition: invalid or unsupported Perl syntax: `(?=`', '(?='],
  ['plain', 'definition: pattern: takes nothing out: name a field, %{IP:src_ip}', undefined],
]
for (const [pattern, complaint, wrong] of COMPLAINTS) {
  test(`of ${pattern}, ${wrong ?? 'nothing'} is marked`, () => {
    const pieces = marked(pattern, complaint)
    assert.equal(pieces.find(({ isWrong }) => isWrong)?.text, wrong)
    if (wrong) assert.equal(pieces.map(({ text }) => text).join(''), pattern)
  })
}
