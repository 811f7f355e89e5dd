import { randomBytes, randomUUIDv7 } from 'node:crypto'
import { conflict } from '@manara/kit/errors'
import type { Attestation, AttestationTrigger } from '@manara/soc-contract/cps'
import type { ChangeContext } from '../../../core/change/operator-change.ts'
import type { DeviceRow } from '../devices/device-record.ts'
import { toAttestation } from './attestation-record.ts'

const NONCE_BYTES = 32
const WAITING = 'the device was asked and has not answered yet'

/**
 * Asks a device to attest: the audit entry is what is relayed to it, in the same transaction as the
 * request that waits for the answer.
 */
export async function requestAttestation(
  change: ChangeContext,
  device: DeviceRow,
  asked: { trigger: AttestationTrigger; now: number; validMs: number },
): Promise<Attestation> {
  if (device.status === 'revoked') throw conflict('the device is revoked: it cannot be asked')
  const requestedAt = new Date(asked.now)
  const row = await change.tx
    .insertInto('cps_attestations')
    .values({
      id: randomUUIDv7(),
      device_id: device.id,
      nonce: randomBytes(NONCE_BYTES).toString('base64url'),
      trigger: asked.trigger,
      requested_by: change.principal.username,
      requested_at: requestedAt,
      expires_at: new Date(asked.now + asked.validMs),
      reason: WAITING,
    })
    .returningAll()
    .executeTakeFirstOrThrow()
  const attestation = toAttestation(row)
  const { id, device_id, nonce, requested_at, expires_at } = attestation
  await change.audit({
    action: 'attestation_request',
    target: `device:${device.id}`,
    after: { id, device_id, nonce, requested_at, expires_at },
  })
  await change.publish('attestation.requested', attestation)
  return attestation
}
