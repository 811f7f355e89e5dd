import assert from 'node:assert/strict'
import { appendFileSync } from 'node:fs'
import { DatabaseSync } from 'node:sqlite'
import { test } from 'node:test'
import { AppError, invalid } from '@manara/kit/errors'
import { withDiskReason } from './disk-refusal.ts'

function thrown(act: () => unknown): Error {
  try {
    act()
  } catch (error) {
    return error as Error
  }
  throw new Error('nothing was thrown')
}

function writeWith(pragma: string): Error {
  const db = new DatabaseSync(':memory:')
  db.exec(`CREATE TABLE kept (text TEXT UNIQUE); PRAGMA ${pragma}`)
  const insert = db.prepare('INSERT INTO kept VALUES (?)')
  return thrown(() => {
    for (const _ of [1, 2]) insert.run('x'.repeat(100_000))
  })
}

const REFUSED: [what: string, error: Error, told: RegExp][] = [
  ['a store on a full disk', writeWith('max_page_count = 4'), /^the disk is full/],
  ['a store that is read-only', writeWith('query_only = ON'), /^the disk takes no changes/],
  ['a file on a full disk', thrown(() => appendFileSync('/dev/full', 'x')), /^the disk is full/],
]
for (const [what, error, told] of REFUSED)
  test(`${what} is told as what it is`, () => {
    const refusal = withDiskReason(error)
    assert.ok(refusal instanceof AppError)
    assert.equal(refusal.status, 500)
    assert.match(refusal.message, told)
  })

test('what is not about the disk stays what it is', () => {
  for (const error of [
    invalid('volume', 'too loud'),
    new Error('a bug'),
    writeWith('user_version'),
  ])
    assert.equal(withDiskReason(error), error)
})
