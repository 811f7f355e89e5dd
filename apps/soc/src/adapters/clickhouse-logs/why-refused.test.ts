import assert from 'node:assert/strict'
import { test } from 'node:test'
import { whyRefused } from './why-refused.ts'

const AT = 'here:8123'

test('what a server refuses is told with what to do about it', () => {
  for (const [code, message, told] of [
    ['81', "Database nope doesn't exist", /has no such database: create it/],
    ['192', 'Unknown user nobody', /lets nobody in as that user: see the user and the password/],
    ['193', 'Wrong password for user default', /see the user and the password/],
    ['516', 'Authentication failed', /see the user and the password/],
    ['164', 'Cannot insert into table in readonly mode', /only reads: let the user/],
    ['497', 'Not enough privileges', /right/],
    ['202', 'Too many simultaneous queries for user default', /max_concurrent_queries/],
    ['252', 'Too many parts (300)', /does not come to merge/],
    ['243', 'Cannot reserve 1.00 MiB', /disk of ClickHouse at here:8123 is full: make room/],
    ['75', 'Cannot write to file primary.idx, errno: 28, strerror: No space left', /disk .* full/],
    ['241', 'Memory limit (for query) exceeded', /too little memory for this/],
  ] as const) {
    const { status, message: said = '' } = whyRefused(code, new Error(message), AT) ?? {}
    assert.equal(status, 503, code)
    assert.match(said, told)
    // Its own words may name what only its owner may know.
    assert.ok(!said.includes(message))
  }
})

test('a statement that is wrong is nothing that an operator can mend', () => {
  assert.equal(whyRefused('62', new Error('Syntax error'), AT), undefined)
  assert.equal(whyRefused('75', new Error('Cannot write to file, errno: 5'), AT), undefined)
})
