import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import {
  createGramCollector,
  mayContain,
  packFilter,
  prepareFilterQuery,
  unpackFilter,
} from './gram-filter.ts'

const literal = (text: string, field?: string) => ({ text, isStart: true, isEnd: true, field })
const wants = (text: string, field?: string) => prepareFilterQuery([[literal(text, field)]])

function filterOf(texts: string[], ids: string[] = []) {
  const collector = createGramCollector()
  for (const text of texts) collector.addText(text)
  for (const id of ids) collector.addId(id)
  return unpackFilter(packFilter(collector.finish()))
}

const letters = fc.string({
  unit: fc.constantFrom(...'ab01.: -/é漢😀'),
  maxLength: 60,
})

test('a text that stands anywhere inside another is never denied', () => {
  fc.assert(
    fc.property(letters, letters, letters, (before, text, after) => {
      assert.ok(mayContain(filterOf([before + text + after]), wants(text)))
    }),
    { numRuns: 300 },
  )
})

const random = (seed: number) => () => {
  seed = (Math.imul(seed, 1_103_515_245) + 12_345) >>> 0
  return seed / 2 ** 32
}

test('among thousands of addresses and hashes, most others are denied', () => {
  const next = random(7)
  const address = () => Array.from({ length: 4 }, () => Math.floor(next() * 256)).join('.')
  const hash = () =>
    Array.from({ length: 4 }, () => Math.floor(next() * 2 ** 32).toString(16)).join('')
  const texts = Array.from({ length: 4_000 }, () => `from ${address()} sha256 ${hash()}`)
  const filter = filterOf(texts)
  const denied = (make: () => string) =>
    Array.from({ length: 500 }, make).filter((text) => !mayContain(filter, wants(text))).length
  assert.ok(denied(address) > 450, 'addresses')
  assert.ok(denied(hash) > 450, 'hashes')
  assert.ok(!mayContain(filter, wants('mimikatz')), 'a word')
})

test('an id is found whole; a part of one, or of another field, says nothing about ids', () => {
  const filter = filterOf([], ['0198-abcdef'])
  assert.ok(mayContain(filter, wants('0198-abcdef', 'id')))
  assert.ok(!mayContain(filter, wants('0198-abcdee', 'id')))
  assert.ok(!mayContain(filter, wants('0198-abcdef')))
  const part = prepareFilterQuery([[{ ...literal('0198', 'id'), isEnd: false }]])
  assert.ok(mayContain(filter, part))
})

test('clauses must all hold, of each one text', () => {
  const filter = filterOf(['alpha beta'])
  const clauses = (...texts: string[][]) =>
    prepareFilterQuery(texts.map((clause) => clause.map((text) => literal(text))))
  assert.ok(mayContain(filter, clauses(['alpha'], ['beta', 'gamma'])))
  assert.ok(!mayContain(filter, clauses(['alpha'], ['gamma', 'delta'])))
})
