import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createClientAddress } from './client-address.ts'

const CASES: [trusted: string[], remote: string, forwarded: string | undefined, client: string][] =
  [
    [[], '192.168.1.5', undefined, '192.168.1.5'],
    [[], '::ffff:192.168.1.5', undefined, '192.168.1.5'],
    [[], '192.168.1.5', '203.0.113.9', '192.168.1.5'],
    [['127.0.0.1'], '127.0.0.1', '203.0.113.9', '203.0.113.9'],
    [['127.0.0.1'], '::ffff:127.0.0.1', '203.0.113.9', '203.0.113.9'],
    [['127.0.0.1'], '192.168.1.5', '203.0.113.9', '192.168.1.5'],
    [['127.0.0.1'], '127.0.0.1', undefined, '127.0.0.1'],
    [['127.0.0.1'], '127.0.0.1', 'nonsense', '127.0.0.1'],
    // What stands left of the last hop was written by the client itself.
    [['127.0.0.1'], '127.0.0.1', '10.0.0.1, 203.0.113.9', '203.0.113.9'],
    [['127.0.0.1', '10.0.0.0/8'], '127.0.0.1', '198.51.100.7, 10.0.0.1', '198.51.100.7'],
    [['::1', 'fd00::/8'], '::1', '2001:DB8::7, fd00::9', '2001:db8::7'],
  ]

for (const [trusted, remote, forwarded, client] of CASES) {
  test(`${remote} forwarding ${forwarded} is ${client} where ${trusted.join(' ') || 'nobody'} is trusted`, () => {
    const addressOf = createClientAddress(trusted)
    const headers = forwarded === undefined ? {} : { 'x-forwarded-for': forwarded }
    assert.equal(addressOf({ headers, socket: { remoteAddress: remote } as never }), client)
  })
}
