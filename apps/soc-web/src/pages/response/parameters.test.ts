import assert from 'node:assert/strict'
import { test } from 'node:test'
import { PlaybookParameter } from '@manara/soc-contract/playbooks'
import { faultOf, firstTyped, valuesOf } from './parameters.ts'

const one = (more: object) => PlaybookParameter.parse({ type: 'string', ...more })
const declared = {
  host: one({ required: true }),
  reason: one({ default: 'suspected' }),
  days: one({ type: 'number', default: 0 }),
  urgent: one({ type: 'boolean' }),
  loud: one({ type: 'boolean', default: false }),
  level: one({ type: 'enum', values: ['low', 'high'] }),
}

test('the fields begin with what counts where nothing else is said', () => {
  assert.deepEqual(firstTyped(declared), {
    ...{ host: '', reason: 'suspected', days: '0', urgent: '', loud: 'false', level: '' },
  })
})

test('values are of the declared type, and what was not said is not sent', () => {
  const typed = { ...firstTyped(declared), host: 'web-1', days: '2.5', loud: 'true' }
  assert.deepEqual(valuesOf(declared, typed), {
    ...{ host: 'web-1', reason: 'suspected', days: 2.5, loud: true },
  })
  assert.deepEqual(valuesOf(declared, { urgent: 'false', level: 'low', reason: '', days: '' }), {
    ...{ urgent: false, level: 'low', reason: '' },
  })
})

test('what cannot be sent is told', () => {
  assert.equal(faultOf(declared.host, '  '), 'missing')
  assert.equal(faultOf(declared.reason, ''), undefined)
  assert.equal(faultOf(declared.days, '1e3'), undefined)
  for (const text of ['a week', '1,5', 'Infinity']) {
    assert.equal(faultOf(declared.days, text), 'number')
  }
})
