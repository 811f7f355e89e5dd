import assert from 'node:assert/strict'
import { test } from 'node:test'
import { networkOf } from './sign-in-places.ts'

test('addresses of one IPv6 network are one place', () => {
  const cases = [
    ['203.0.113.9', '203.0.113.9'],
    ['::ffff:203.0.113.9', '203.0.113.9'],
    ['2001:db8:1:2:3:4:5:6', '2001:db8:1:2::/64'],
    ['2001:0db8:0001:0002::6', '2001:db8:1:2::/64'],
    ['2001:db8::1', '2001:db8:0:0::/64'],
    ['fe80::1%eth0', 'fe80:0:0:0::/64'],
    ['::1', '0:0:0:0::/64'],
    [undefined, ''],
  ] as const
  for (const [ip, network] of cases) assert.equal(networkOf(ip), network, ip)
})
