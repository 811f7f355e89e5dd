import assert from 'node:assert/strict'
import { test } from 'node:test'
import { chipsOf, filterOf, readTyped, viewOf } from './view.ts'

test('without a word the open alerts are meant', () => {
  assert.deepEqual(filterOf(viewOf('')), { status: 'new,triaged,investigating,escalated' })
})

test('the address is the view', () => {
  const view = viewOf('?severity=high&severity=low&status=all&host=web-1&q=two+words')
  assert.deepEqual(filterOf(view), { severity: 'high,low', host: 'web-1', q: 'two words' })
  assert.deepEqual(chipsOf(view), [
    ['host', 'web-1'],
    ['q', 'two words'],
  ])
})

test('typed names that are fields become filters, everything else is searched for', () => {
  assert.deepEqual(readTyped('host:web-1 lateral  source:"Win Security" case:4 a:b', 'kim'), {
    ...{ host: 'web-1', source: 'Win Security', case_id: '4' },
    q: 'lateral a:b',
  })
  assert.deepEqual(readTyped('assignee:me', 'kim'), { assignee: 'kim' })
  assert.deepEqual(readTyped('', 'kim'), {})
})
