import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { AppError } from '@manara/kit/errors'
import { explainDatabaseFailure, isTemporary } from './connection-failure.ts'

const statusOf = (failure: object) => (explainDatabaseFailure(failure) as AppError).status

test('a database that cannot be reached is 503, whatever lies in between', () => {
  const codes = ['ECONNREFUSED', 'EHOSTUNREACH', 'ENETUNREACH', 'EAI_AGAIN', 'ENOTFOUND', '57P01']
  for (const code of codes) assert.equal(statusOf({ code }), 503, code)
  assert.equal(statusOf({ code: '23505' }), undefined)
})

test('a database that lets nobody in is 503, and what waits for it is kept', () => {
  for (const code of ['28P01', '28000', '3D000']) {
    assert.equal(statusOf({ code }), 503, code)
    assert.ok(isTemporary({ code }), code)
  }
})
