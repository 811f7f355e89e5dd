import assert from 'node:assert/strict'
import { it } from 'node:test'
import { selecting } from '../../ports/log-store.contract.ts'
import { createLiterals, createParameters, selectionCondition } from './binding.ts'

const WORD = "it's; DROP TABLE \\ --"

it('as parameters, no value of a query stands in the statement', () => {
  const binding = createParameters()
  const { parameters } = binding
  const condition = selectionCondition(
    { ...selecting('user:"mallory" AND event_code:>=7'), time: { from: 1.5, to: 9 } },
    binding,
  )
  assert.ok(!condition.includes('mallory'))
  assert.ok(Object.values(parameters).includes('mallory'))
  assert.ok(Object.values(parameters).includes(7))
  assert.match(condition, /^at >= 2 AND at < 9 AND /)
  for (const name of condition.match(/(?<=\{)p\d+(?=:)/g) ?? []) {
    assert.ok(Object.hasOwn(parameters, name))
  }
})

it('as a literal, a text ends where it ends', () => {
  const { bind } = createLiterals()
  assert.equal(bind(WORD), "'it\\'s; DROP TABLE \\\\ --'")
  assert.equal(bind(7.5), 'toFloat64(7.5)')
  assert.throws(() => bind(Number.POSITIVE_INFINITY), RangeError)
})

it('where the server has an index of texts, what must be there is asked of it first', () => {
  const { bind } = createLiterals()
  const asked = (q: string) =>
    selectionCondition({ ...selecting(q), time: {} }, { bind, hasTexts: true })
  assert.match(
    asked('"100%_Sure" OR mallory'),
    /^\(searched LIKE '%100\\\\%\\\\_sure%' OR searched LIKE '%mallory%'\) AND /,
  )
  assert.doesNotMatch(asked('abc OR mallory'), /searched/)
  assert.doesNotMatch(asked('NOT mallory'), /searched/)
})

it('what is too long for an address is a literal', () => {
  const { bind, parameters } = createParameters()
  const long = `${WORD}${'x'.repeat(5_000)}`
  assert.equal(bind(long), createLiterals().bind(long))
  assert.deepEqual(parameters, {})
})
