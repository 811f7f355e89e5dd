import type {
  Attestation,
  AttestationListQuery,
  Device,
  DeviceListQuery,
} from '@manara/soc-contract/cps'
import { hasAsked, isAsked, isWithin, mentions, showList } from '../../../showcase/query.ts'

export const showDevices = (devices: Device[], query: DeviceListQuery) =>
  showList(devices, query, { where: isDevice, sortBy: (device) => Date.parse(device[query.sort]) })

const isDevice = (device: Device, query: DeviceListQuery) =>
  hasAsked(device, query, ['status', 'trust_status', 'device_type', 'vendor', 'site_id', 'zone']) &&
  hasAsked(device, query, ['firmware_sha256']) &&
  isAsked(query.managed, device.managed) &&
  isWithin(query, device.created_at, device.updated_at) &&
  mentions(device, query.q)

export const showAttestations = (attestations: Attestation[], query: AttestationListQuery) =>
  showList(attestations, query, {
    where: (one) =>
      hasAsked(one, query, ['device_id', 'verdict', 'status']) &&
      isWithin(query, one.requested_at, one.requested_at),
    sortBy: (one) => Date.parse(one.requested_at),
  })
