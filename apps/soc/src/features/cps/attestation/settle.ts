import type { Evidence } from '@manara/attestation/evidence'
import { sql } from 'kysely'
import type { ChangeContext } from '../../../core/change/operator-change.ts'
import type { DeviceRow } from '../devices/device-record.ts'
import { changeDevice } from '../devices/devices.store.ts'
import { type Appraisal, appraise, type Measurements } from '../domain/appraise.ts'
import { trustAfter } from '../domain/trust.ts'
import { type AttestationRow, foundInOrder, toAttestation } from './attestation-record.ts'
import { alertAbout } from './device-alerts.ts'
import type { Accepted, EvidenceDeps } from './evidence-deps.ts'
import { markCloned } from './mark-cloned.ts'

/** Appraises the answer, ends the request with the verdict and says what the device is worth now. */
export async function settle(
  deps: EvidenceDeps,
  change: ChangeContext,
  device: DeviceRow,
  request: AttestationRow,
  accepted: Accepted,
): Promise<void> {
  const { claims } = accepted.evidence
  const receivedAt = deps.now()
  const appraisal = appraise({
    claims,
    firmware: await deps.firmwareOf(change.tx, claims.firmware.sha256),
    reference: device.reference,
    earlier: await lastOfFirmware(change.tx, device, claims.firmware.sha256),
    boot:
      device.boot_count !== null && device.boot_seed !== null
        ? { count: Number(device.boot_count), seed: device.boot_seed }
        : null,
    receivedAt,
  })
  const { verdict, reason } = appraisal
  const row = await change.tx
    .updateTable('cps_attestations')
    .set({
      ...{ status: 'answered', verdict, reason, received_at: new Date(receivedAt) },
      claims: JSON.stringify(claims),
      evidence: accepted.bytes,
      certificate_serial: accepted.certificateSerial,
    })
    .where('id', '=', request.id)
    .returningAll()
    .executeTakeFirstOrThrow()
  await change.tx.deleteFrom('cps_outbox').where('attestation_id', '=', request.id).execute()
  await change.publish('attestation.appraised', toAttestation(row))
  await judgeDevice(deps, change, device, accepted.evidence, appraisal)
}

async function lastOfFirmware(
  tx: ChangeContext['tx'],
  { id, reference }: DeviceRow,
  firmware: string,
): Promise<Measurements | null> {
  if (!reference || reference.firmware.sha256 === firmware) return null
  // The verdict of what was accepted stays, so that it is not among those below.
  const accepted = reference.accepted?.[firmware]
  if (accepted) return accepted
  const row = await tx
    .selectFrom('cps_attestations')
    .select('claims')
    .where('device_id', '=', id)
    .where('verdict', 'in', ['affirming', 'warning'])
    .where(sql<boolean>`claims->'firmware'->>'sha256' = ${firmware}`)
    .orderBy('requested_at', 'desc')
    .limit(1)
    .executeTakeFirst()
  return row?.claims?.measurements ?? null
}

async function judgeDevice(
  deps: EvidenceDeps,
  change: ChangeContext,
  device: DeviceRow,
  { claims }: Evidence,
  { verdict, reason, isClone }: Appraisal,
): Promise<void> {
  const { name, version, sha256 } = claims.firmware
  const isFine = verdict !== 'contraindicated'
  // A device that stands for two stays untrusted, whichever of them answers well.
  const isQuarantined = device.status === 'quarantined'
  const trust = isQuarantined ? 'untrusted' : trustAfter(device.trust_status, verdict)
  const after = await changeDevice(change.tx, device.id, {
    trust_status: trust,
    ...{ firmware_name: name, firmware_version: version, firmware_sha256: sha256 },
    ...{ last_attestation_at: new Date(deps.now()), last_seen_at: new Date(deps.now()), missed: 0 },
    ...(isFine ? foundInOrder(claims, acceptedBut(device, sha256)) : {}),
  })
  if (trust !== device.trust_status) {
    await change.audit({
      action: 'device.trust',
      target: `device:${device.id}`,
      before: { trust_status: device.trust_status },
      after: { trust_status: trust, verdict, reason },
    })
    await change.publish('device.updated', after)
  }
  if (isClone) await markCloned(deps.raiseAlert, change, device, reason)
  if (!isFine) await alertAbout(deps.raiseAlert, change, device, 'contraindicated', `${reason}.`)
}

/** An answer that is in order says the same from now on. */
function acceptedBut({ reference }: DeviceRow, firmware: string) {
  const { [firmware]: _, ...others } = reference?.accepted ?? {}
  return others
}
