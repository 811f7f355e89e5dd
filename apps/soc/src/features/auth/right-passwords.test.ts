import assert from 'node:assert/strict'
import { test } from 'node:test'
import { ADMIN_PASSWORD, startTestSoc } from '../../testing/test-soc.ts'

test('right passwords count as well: from one address, and at a known place for the account alone', async (t) => {
  const soc = await startTestSoc(t, { rates: { general: 4 }, trustedProxies: ['127.0.0.1'] })
  for (const name of ['noor', 'leila', 'sami']) await soc.addUser(name)
  const from = (address: string, username: string) =>
    soc.call('POST', '/auth/token', {
      body: { username, password: ADMIN_PASSWORD },
      headers: { 'x-forwarded-for': address },
    })
  // A list of stolen passwords, tried from one network.
  const stolen = [1, 2, 3, 4].map((n) => `2001:db8::${n}`)
  for (const [n, name] of ['admin', 'noor', 'leila', 'sami'].entries()) {
    assert.equal((await from(stolen[n] ?? '', name)).status, 200, name)
  }
  await soc.query(`DELETE FROM sign_in_places WHERE user_id <> (
    SELECT id FROM users WHERE username = 'admin')`)
  const over = await from('2001:db8::5', 'noor')
  assert.deepEqual([over.status, Number(over.headers['retry-after']) > 0], [429, true])
  assert.match(over.body.detail, /^too many sign-ins: try again in \d+ s$/)
  // Whoever has signed in from there before has a count of their own, with that first time in it.
  const again = []
  for (let n = 0; n < 4; n += 1) again.push((await from('2001:db8::6', 'admin')).status)
  assert.deepEqual(again, [200, 200, 200, 429])
  assert.equal((await from('198.51.100.7', 'noor')).status, 200)
})
