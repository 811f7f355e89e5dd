import assert from 'node:assert/strict'
import { test } from 'node:test'
import { AppError } from '@manara/kit/errors'
import { refusal } from './refusal.ts'

const system = (code: string, syscall?: string) =>
  Object.assign(new Error(`${code}: told by the system`), { code, ...(syscall && { syscall }) })

for (const [error, status, message] of [
  [new Error('is not a firmware image'), 400, /^image: is not a firmware image$/],
  [system('ECONNRESET'), 400, /^image: was cut off/],
  [system('ECONNRESET', 'read'), 400, /^image: was cut off/],
  [system('ENOSPC', 'write'), 500, /^update: ENOSPC/],
  [new AppError(503, 'kept as it is'), 503, /^kept as it is$/],
] as const) {
  test(`${error.message} is answered with ${status}`, () => {
    const told = refusal(error)
    assert.equal(told.status, status)
    assert.match(told.message, message)
  })
}
