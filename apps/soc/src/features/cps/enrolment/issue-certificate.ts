import { evidenceTopic, requestTopic } from '@manara/attestation/topics'
import type { Enrolled } from '@manara/soc-contract/cps'
import type { ChangeContext } from '../../../core/change/operator-change.ts'
import { type Authority, fingerprintOf } from '../authority/authority.ts'
import { issueDevice, validFor } from '../authority/issue.ts'
import type { SigningRequest } from '../authority/read-request.ts'
import { toPem } from '../authority/x509.ts'
import type { CertificateRow } from '../devices/device-record.ts'
import { changeDevice, deviceById, planFirst } from '../devices/devices.store.ts'
import { holdKey, refuseUsedKey } from './key-holders.ts'

export type Issuing = {
  authority: Authority
  days: number
  now: number
  /** Where devices find the broker: `url` is null while that is this very host. */
  broker: { url: string | null; port: number }
}

/**
 * Signs the request for this device, unless its key is another's, and keeps the certificate; the
 * device counts as managed.
 */
export async function issueCertificate(
  change: ChangeContext,
  issuing: Issuing,
  deviceId: string,
  request: SigningRequest,
  action: 'device.enrol' | 'device.renew',
): Promise<CertificateRow> {
  await holdKey(change.tx, request.keySha256)
  await refuseUsedKey(change.tx, deviceId, request.keySha256)
  const { issuer } = issuing.authority
  const validity = validFor(issuing.days, issuing.now)
  const certificate = await issueDevice(issuer, deviceId, request.publicKey, validity)
  const row = await change.tx
    .insertInto('cps_certificates')
    .values({
      serial: certificate.serialNumber,
      device_id: deviceId,
      fingerprint: fingerprintOf(certificate),
      key_sha256: request.keySha256,
      certificate_pem: toPem('CERTIFICATE', certificate.rawData),
      not_before: certificate.notBefore,
      not_after: certificate.notAfter,
    })
    .returningAll()
    .executeTakeFirstOrThrow()
  const before = await deviceById(change.tx, deviceId)
  await planFirst(change.tx, deviceId)
  const after = await changeDevice(change.tx, deviceId, { managed: true })
  await change.audit({ action, target: `device:${deviceId}`, before, after })
  await change.publish('device.updated', after)
  return row
}

const RENEW_AT = 2 / 3

export function toEnrolled({ authority, broker }: Issuing, row: CertificateRow): Enrolled {
  const life = row.not_after.getTime() - row.not_before.getTime()
  return {
    device_id: row.device_id,
    certificate: row.certificate_pem,
    ca: authority.pem,
    serial: row.serial,
    fingerprint: row.fingerprint,
    not_after: row.not_after.toISOString(),
    renew_after: new Date(row.not_before.getTime() + life * RENEW_AT).toISOString(),
    mqtt: {
      ...broker,
      client_id: row.device_id,
      request_topic: requestTopic(row.device_id),
      evidence_topic: evidenceTopic(row.device_id),
    },
  }
}
