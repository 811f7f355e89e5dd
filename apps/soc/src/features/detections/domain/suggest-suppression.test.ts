import assert from 'node:assert/strict'
import { test } from 'node:test'
import { compilePredicate } from '@manara/log-query/predicate'
import { SuppressionCreate } from '@manara/soc-contract/suppressions'
import { storedLog } from '../../../testing/stored-log.ts'
import { criteriaQuery } from './criteria.ts'
import { suggestSuppression } from './suggest-suppression.ts'

test('a suggested suppression is ready to be posted and holds its event, not those elsewhere', () => {
  const logs = [
    storedLog({ host: 'web-1', user: 'kim', process: 'C:\\a\\b?.exe', message: 'x' }),
    storedLog({ message: 'only * text' }),
    storedLog({ message: '', event_code: '7' }),
  ]
  for (const log of logs) {
    const suggested = suggestSuppression({ name: 'Odd shell' }, log, 'known admin script')
    SuppressionCreate.parse(suggested)
    const holds = compilePredicate(criteriaQuery(suggested.criteria))
    assert.ok(holds(log))
    assert.ok(!holds(storedLog({ host: 'db-1', user: 'lee', message: 'other' })))
  }
})
