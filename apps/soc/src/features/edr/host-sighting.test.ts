import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { LogRecord } from '@manara/log-query/event'
import { hostSighting } from './host-sighting.ts'

const log = (more: Partial<LogRecord>): LogRecord => ({
  id: '1',
  at: 1_000,
  source: 'app',
  host: 'web-1',
  severity: 'info',
  message: 'hello',
  user: null,
  process: null,
  event_code: null,
  src_ip: '203.0.113.9',
  dst_ip: null,
  fields: {},
  ...more,
})

test('the host of an event, without addresses that may be somebody else’s', () =>
  assert.deepEqual(hostSighting(log({})), {
    hostname: 'web-1',
    ips: [],
    os: null,
    seenAt: 1_000,
  }))

test('addresses that speak of the host itself are taken, other text is not', () => {
  const fields = { 'host.ip': ['192.0.2.1', 'none', 'fe80::1'], host_ip: '192.0.2.1' }
  assert.deepEqual(hostSighting(log({ fields }))?.ips, ['192.0.2.1', 'fe80::1'])
})

test('a host that is an address has that address', () =>
  assert.deepEqual(hostSighting(log({ host: '192.0.2.7' }))?.ips, ['192.0.2.7']))

const SYSTEMS: [Partial<LogRecord>, string][] = [
  [{ fields: { 'host.os.name': 'Debian GNU/Linux' } }, 'Debian GNU/Linux'],
  [{ fields: { Channel: 'Security', EventID: 4624 } }, 'Windows'],
  [{ source: 'sshd' }, 'Linux'],
]
for (const [more, os] of SYSTEMS) {
  test(`${JSON.stringify(more)} runs ${os}`, () => assert.equal(hostSighting(log(more))?.os, os))
}

for (const host of [null, '', '  ', 'two words', 'nul\u0000', '\ud800', 'x'.repeat(256)]) {
  test(`${JSON.stringify(host)?.slice(0, 20)} names no host`, () =>
    assert.equal(hostSighting(log({ host })), undefined))
}
