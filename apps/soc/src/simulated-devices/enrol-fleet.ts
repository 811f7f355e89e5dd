import type { BulkCreated, Enrolled } from '@manara/soc-contract/cps'
import { FIRMWARE } from './device.ts'
import { type Identity, makeKey } from './identity.ts'
import type { SocClient } from './soc-client.ts'

const AT_ONCE = 200
const PARALLEL = 8
const TYPES = ['plc', 'rtu', 'hmi', 'gateway', 'sensor']
const ZONES = ['cell 1', 'cell 2', 'supervision', 'safety']

/** Adds the devices and gives each its certificate; `told` hears how many have one. */
export async function enrolFleet(
  soc: SocClient,
  options: { count: number; everySeconds: number; prefix: string },
  told: (enrolled: number) => void,
): Promise<Identity[]> {
  await soc
    .call('POST', '/firmware', { vendor: 'Simulated', product: FIRMWARE.name, ...known() })
    // It is known from an earlier run.
    .catch(() => {})
  const waiting: { id: string; code: string }[] = []
  for (let at = 0; at < options.count; at += AT_ONCE) {
    const devices = Array.from({ length: Math.min(AT_ONCE, options.count - at) }, (_, index) => ({
      name: `${options.prefix} ${at + index + 1}`,
      device_type: TYPES[(at + index) % TYPES.length],
      vendor: 'Simulated',
      zone: ZONES[(at + index) % ZONES.length],
      attest_every_s: options.everySeconds,
    }))
    const { items } = await soc.call<BulkCreated>('POST', '/cps/devices/bulk', { devices })
    waiting.push(...items.map(({ device, code }) => ({ id: device.id, code: code.code })))
  }
  const identities: Identity[] = []
  const enrolNext = async (): Promise<void> => {
    for (let next = waiting.shift(); next; next = waiting.shift()) {
      const { csr, key, keyPem } = await makeKey()
      const enrolled = await soc.call<Enrolled>('POST', '/cps/enrol', { code: next.code, csr })
      identities.push({ deviceId: next.id, key, keyPem, enrolled })
      told(identities.length)
    }
  }
  await Promise.all(Array.from({ length: PARALLEL }, enrolNext))
  return identities
}

const known = () => ({ version: FIRMWARE.version, sha256: FIRMWARE.sha256 })
