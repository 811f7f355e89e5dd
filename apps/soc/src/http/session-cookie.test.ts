import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sessionCookie } from './session-cookie.ts'

test('under TLS the cookie is Secure and bound to the host', () => {
  assert.deepEqual(sessionCookie(true), {
    name: '__Host-soc_session',
    options: { httpOnly: true, sameSite: 'strict', path: '/', secure: true },
  })
})

test('without TLS the cookie has the plain name, since __Host- needs Secure', () => {
  const { name, options } = sessionCookie(false)
  assert.deepEqual([name, options.secure, options.httpOnly], ['soc_session', false, true])
})
