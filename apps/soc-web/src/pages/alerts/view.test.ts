import assert from 'node:assert/strict'
import { test } from 'node:test'
import {
  chipsOf,
  filterOf,
  fits,
  isAtLeast,
  isOfAllOpen,
  readTyped,
  sumOf,
  viewOf,
} from './view.ts'

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

test('an alert that comes is one of those that are asked for, in every field', () => {
  const alert = {
    ...{ severity: 'high', status: 'new', host: 'web-1', source: 'edr', assignee: null },
    ...{ rule_id: 'r1', case_id: null, tags: ['vip'], created_at: '2026-11-15T12:00:00.000Z' },
  } as unknown as Parameters<typeof fits>[0]
  const asked = (search: string) => fits(alert, filterOf(viewOf(search)))
  const those = ['', '?severity=high', '?host=web-1&source=edr', '?rule_id=r1', '?tag=vip']
  assert.deepEqual(
    [...those, '?from=2026-11-15T11:00:00.000Z'].filter((one) => !asked(one)),
    [],
  )
  const others = ['?assignee=kim', '?rule_id=r2', '?case_id=c1', '?tag=dmz', '?status=closed']
  assert.deepEqual([...others, '?from=2026-11-15T13:00:00.000Z'].filter(asked), [])
})

test('a number that the service did not count to its end is not told as one', () => {
  const some = filterOf(viewOf('?severity=high&source=edr'))
  assert.equal(isAtLeast(80_000, some), false)
  assert.deepEqual(
    [10_000, 9_999].map((total) => isAtLeast(total, { ...some, rule_id: 'r1' })),
    [true, false],
  )
})

test('numbers of all open alerts tell those of some severities, and of no other filter', () => {
  const counts = { critical: 1, high: 20, medium: 300, low: 4_000, info: 50_000 }
  const told = (search: string) => {
    const view = viewOf(search)
    return isOfAllOpen(view) ? sumOf(counts, view.severity) : undefined
  }
  assert.deepEqual(['', '?severity=high&severity=low'].map(told), [54_321, 4_020])
  assert.deepEqual(
    ['?status=all', '?status=new', '?host=web-1', '?q=a', '?from=2026-11-15'].map(told),
    [undefined, undefined, undefined, undefined, undefined],
  )
})
