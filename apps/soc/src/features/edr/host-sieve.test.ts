import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { storedLog } from '../../testing/stored-log.ts'
import { COLLECTOR_FIELD } from './collector-field.ts'
import { createSieve } from './host-sieve.ts'
import { hostSighting } from './host-sighting.ts'

const log = (host: string | null, fields = {}) => storedLog({ host, fields })

const arbitraryLog = fc
  .record({
    host: fc.constantFrom(null, 'web-1', 'web-2', 'no name at all'),
    ip: fc.constantFrom(undefined, '192.0.2.1', '192.0.2.2'),
    os: fc.constantFrom(undefined, 'Debian'),
    collector: fc.constantFrom(undefined, 'relay'),
  })
  .map(({ host, ip, os, collector }) =>
    log(host, { 'host.ip': ip, 'host.os.name': os, [COLLECTOR_FIELD]: collector }),
  )

/** All that events tell of hosts and collectors. */
const told = (logs: ReturnType<typeof log>[]) =>
  [
    ...new Set(
      logs.flatMap((one) => {
        const { hostname, ips = [], os } = hostSighting(one) ?? {}
        const host = hostname ? [hostname, ...ips.map((ip) => `${hostname} ${ip}`)] : []
        const system = os ? [`${hostname} runs ${os}`] : []
        return [...host, ...system, `collector ${one.fields[COLLECTOR_FIELD]}`]
      }),
    ),
  ].toSorted()

test('what the sieve lets through tells all that the events tell', () => {
  fc.assert(
    fc.property(fc.array(arbitraryLog, { maxLength: 60 }), (logs) => {
      const sieve = createSieve(() => 0)
      const through = logs.filter(sieve)
      assert.deepEqual(
        told(through).filter((one) => one !== 'collector undefined'),
        told(logs).filter((one) => one !== 'collector undefined'),
      )
    }),
  )
})

test('a host that talks all the time passes once, and again after a while', () => {
  let now = 0
  const sieve = createSieve(() => now)
  const passing = () => Array.from({ length: 100 }, () => log('web-1')).filter(sieve).length
  assert.deepEqual([passing(), passing()], [1, 0])
  now = 10_000
  assert.equal(passing(), 1, 'what was told may have been lost')
})
