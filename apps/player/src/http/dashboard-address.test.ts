import assert from 'node:assert/strict'
import { test } from 'node:test'
import { dashboardAddress } from './dashboard-address.ts'

const OWN = ['127.0.0.1', '::1', '192.168.1.20', 'fe80::1']

for (const [tls, mdns, port, hostname, address] of [
  [true, true, 8443, 'Minaret', 'https://minaret.local:8443'],
  [true, true, 443, 'pi.attic.example', 'https://pi.local'],
  [false, true, 80, 'minaret', 'http://minaret.local'],
  [true, false, 8443, 'minaret', 'https://192.168.1.20:8443'],
] as const) {
  test(`a phone opens ${address}`, () => {
    assert.equal(dashboardAddress({ tls, mdns }, port, hostname, OWN), address)
  })
}
