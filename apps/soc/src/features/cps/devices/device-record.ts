import { requestTopic } from '@manara/attestation/topics'
import type { Device, DeviceCertificate } from '@manara/soc-contract/cps'
import type { Selectable } from 'kysely'
import type { Tables } from '../../../db/tables.ts'

export type DeviceRow = Selectable<Tables['cps_devices']>
export type CertificateRow = Selectable<Tables['cps_certificates']>

export function toDevice(row: DeviceRow, certificate: CertificateRow | undefined): Device {
  return {
    id: row.id,
    name: row.name,
    device_type: row.device_type,
    vendor: row.vendor,
    model: row.model,
    site_id: row.site_id,
    zone: row.zone,
    purdue_level: row.purdue_level,
    managed: row.managed,
    status: row.status,
    trust_status: row.trust_status,
    firmware_version: row.firmware_version,
    firmware_sha256: row.firmware_sha256,
    hostname: row.hostname,
    addresses: row.addresses,
    mac_addresses: row.mac_addresses,
    protocols: row.protocols,
    certificate: certificate ? toCertificate(certificate) : null,
    sparkplug_node: row.sparkplug_node,
    attest_every_s: row.attest_every_s,
    next_attestation_at: row.next_attestation_at?.toISOString() ?? null,
    last_attestation_at: row.last_attestation_at?.toISOString() ?? null,
    mqtt_topic: requestTopic(row.id),
    created_at: row.created_at.toISOString(),
    updated_at: row.updated_at.toISOString(),
    last_seen_at: row.last_seen_at?.toISOString() ?? null,
  }
}

const toCertificate = (row: CertificateRow): DeviceCertificate => ({
  serial: row.serial,
  fingerprint: row.fingerprint,
  not_before: row.not_before.toISOString(),
  not_after: row.not_after.toISOString(),
  status: row.status === 'active' && row.not_after.getTime() < Date.now() ? 'expired' : row.status,
  revoked_at: row.revoked_at?.toISOString() ?? null,
  reason: row.reason,
})
