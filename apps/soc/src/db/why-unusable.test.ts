import assert from 'node:assert/strict'
import { test } from 'node:test'
import { whyUnusable } from './why-unusable.ts'

const said: [failure: object, words: RegExp][] = [
  [
    { code: '28P01', message: 'password authentication failed' },
    /^password .* failed: .*password in/,
  ],
  [
    { code: '3D000', message: 'database "x" does not exist' },
    /: create it, or correct DATABASE_URL$/,
  ],
  [{ code: '42501', message: 'permission denied' }, /DATABASE_OWNER_URL/],
  [{ code: '25006', message: 'cannot execute INSERT' }, /only reads/],
  [{ code: '53300', message: 'too many connections' }, /max_connections/],
  [{ code: 'ECONNREFUSED', message: 'connect ECONNREFUSED' }, /: see that it runs/],
  [{ code: '22P05', message: 'as it is' }, /^as it is$/],
]

for (const [failure, words] of said) {
  test(`a database that is lost to ${JSON.stringify(failure)} says what to do`, () => {
    assert.match(whyUnusable(failure), words)
  })
}

test('a name with several addresses tells of the first', () => {
  const errors = [{ code: 'ECONNREFUSED', message: 'connect ECONNREFUSED ::1:5432' }]
  const failure = Object.assign(new AggregateError(errors, ''), { code: 'ECONNREFUSED' })
  assert.match(whyUnusable(failure), /^connect ECONNREFUSED ::1:5432: see that it runs/)
})
