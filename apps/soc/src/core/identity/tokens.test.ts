import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { test } from 'node:test'
import { createTokens } from './tokens.ts'

const leila = { username: 'leila', role: 'analyst', session_stamp: 'stamp' } as const

test('a token is good for 60 minutes', async () => {
  let now = Date.parse('2026-03-02T08:00:00Z')
  const tokens = createTokens(randomBytes(32), () => now)
  const token = await tokens.issue(leila)
  now += 3_599_000
  assert.equal((await tokens.verify(token))?.username, 'leila')
  now += 1_000
  assert.equal(await tokens.verify(token), undefined)
})

test('a token of another key is no token', async () => {
  const token = await createTokens(randomBytes(32)).issue(leila)
  assert.equal(await createTokens(randomBytes(32)).verify(token), undefined)
})
