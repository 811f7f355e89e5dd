import assert from 'node:assert/strict'
import { test } from 'node:test'
import { makeKey } from './make-key.ts'

test('a service gets a password nobody knows, on plain http from another machine too', async (t) => {
  const sent: { password?: string }[] = []
  const post = async (_: string, body?: object) => {
    sent.push(body ?? {})
    return { key: 'k' } as never
  }
  t.mock.method(crypto, 'randomUUID', () => assert.fail('browsers have it on https alone'))
  for (const name of ['one', 'two']) {
    await makeKey({ post }, { name, scopes: [], expiresAt: null })
  }
  const passwords = sent.flatMap(({ password }) => password ?? [])
  assert.equal(new Set(passwords).size, 2)
  for (const password of passwords) assert.ok(password.length >= 40, password)
})
