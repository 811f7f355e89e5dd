import assert from 'node:assert/strict'
import { test } from 'node:test'
import { logWith, matches, ruleWith } from './testing/sigma-fixture.ts'

const ruleFor = (category: string) =>
  ruleWith(
    'selection:\n    Image: a\ncondition: selection',
    `product: windows\n    category: ${category}`,
  )

test('what is no event log is found by the category that its parser says', () => {
  const said = (category: string) => logWith({ Image: 'a', 'sigma.category': category })
  assert.equal(matches(ruleFor('process_creation'), said('process_creation')), true)
  assert.equal(matches(ruleFor('process_creation'), said('file_event')), false)
  assert.equal(matches(ruleFor('registry_event'), said('registry_set')), true)
  assert.equal(matches(ruleFor('registry_set'), said('registry_add')), false)
  assert.equal(matches(ruleFor('process_creation'), logWith({ Image: 'a' })), false)
})
