import assert from 'node:assert/strict'
import { it } from 'node:test'
import { selecting } from '../../ports/log-store.contract.ts'
import { createLiterals, createParameters, selectionCondition } from './binding.ts'

const WORD = "it's; DROP TABLE \\ --"

it('as parameters, no value of a query stands in the statement', () => {
  const { bind, parameters } = createParameters()
  const condition = selectionCondition(
    { ...selecting('user:"mallory" AND event_code:>=7'), time: { from: 1.5, to: 9 } },
    bind,
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
