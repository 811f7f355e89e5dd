import type { Firmware } from '@manara/soc-contract/firmware'
import { devices } from './places.ts'
import { idOf } from './story.ts'

const known = (number: number, version: string, rest: Partial<Firmware>): Firmware => ({
  id: idOf('firmware', number),
  vendor: 'Wadi Controls',
  product: 'WX-200',
  version,
  sha256: '9c56cc51b374c3ba189210d5b6d4bf57790d351c96c47c02190ecf1e430635ab',
  status: 'allowed',
  released_at: '2025-05-04T00:00:00.000Z',
  release_notes: null,
  signature: { status: 'unsigned', value: null, key_id: null, key_fingerprint: null },
  is_outdated: false,
  latest_version: version,
  component_count: 0,
  device_count: 0,
  origin: 'csv',
  created_by: 'admin',
  created_at: '2025-06-01T00:00:00.000Z',
  updated_at: '2025-06-01T00:00:00.000Z',
  ...rest,
})

const runningOn = (sha256: string) =>
  devices.filter(({ firmware_sha256 }) => firmware_sha256 === sha256).length

/** What plc-pump-03 reports is not among them. */
export const firmware: Firmware[] = [
  known(1, '3.8.0', {
    device_count: runningOn('9c56cc51b374c3ba189210d5b6d4bf57790d351c96c47c02190ecf1e430635ab'),
  }),
  known(2, '3.7.2', {
    sha256: '60303ae22b998861bce3b28f33eec1be758a213c86c93c076dbe9f558c11c752',
    released_at: '2024-11-18T00:00:00.000Z',
    is_outdated: true,
    latest_version: '3.8.0',
  }),
]
