import { X509Certificate } from 'node:crypto'
import { type Evidence, readEvidence } from '@manara/attestation/evidence'
import { MalformedEvidence } from '@manara/attestation/malformed'
import type { ChangeContext } from '../../../core/change/operator-change.ts'
import { supersedeOlder } from '../broker/admit.ts'
import type { DeviceRow } from '../devices/device-record.ts'
import { lockDevice } from '../devices/devices.store.ts'
import { cloneOf } from '../domain/appraise.ts'
import type { AttestationRow } from './attestation-record.ts'
import { alertAbout } from './device-alerts.ts'
import type { Accepted, EvidenceDeps } from './evidence-deps.ts'
import { markCloned } from './mark-cloned.ts'
import { settle } from './settle.ts'

/**
 * An answer of a device. It counts when it is for a request that is open, by this device, signed by
 * its certificate. Everything else is refused and told, and leaves the request open. The same answer
 * again, as a device sends it that missed the acknowledgement, changes nothing. True: it counts.
 */
export async function receiveEvidence(
  deps: EvidenceDeps,
  deviceId: string,
  bytes: Buffer,
): Promise<boolean> {
  return deps.internalWorkflow(async (change) => {
    const device = await lockDevice(change.tx, deviceId)
    const outcome = await check(deps, change, device, bytes)
    if (typeof outcome === 'string') await refuse(deps, change, device, outcome)
    else if (outcome) {
      await settle(deps, change, device, outcome.request, outcome.accepted)
      // Also at a broker that does not tell with which certificate a device has come.
      const { fingerprint } = outcome.accepted.evidence
      await supersedeOlder(change.tx, { deviceId: device.id, fingerprint }, deps.now())
    }
    return typeof outcome === 'object'
  })
}

/** Why it is refused; or the request it answers; or nothing when it is known already. */
async function check(
  deps: EvidenceDeps,
  change: ChangeContext,
  device: DeviceRow,
  bytes: Buffer,
): Promise<string | { request: AttestationRow; accepted: Accepted } | undefined> {
  if (device.status === 'revoked') return 'the device is revoked'
  const evidence = read(bytes)
  if (typeof evidence === 'string') return evidence
  const { claims } = evidence
  if (claims.device_id !== device.id) return `it answers for another device: ${claims.device_id}`
  const request = await requestOf(change, claims.nonce)
  if (!request) return 'its nonce was never asked: made up, or from another time'
  if (request.device_id !== device.id) return 'its nonce was asked of another device'
  const certificate = await certificateOf(change, evidence.fingerprint)
  const fault = faultOf(certificate, device, evidence, deps.now())
  if (fault || !certificate) return fault
  const accepted = { evidence, bytes, certificateSerial: certificate.serial }
  if (request.status === 'answered') {
    return answeredBefore(deps, change, device, request, accepted)
  }
  if (request.status === 'cancelled') return 'the request was cancelled'
  if (request.status === 'expired' || request.expires_at.getTime() < deps.now()) {
    return `its nonce is stale: the answer was due at ${request.expires_at.toISOString()}`
  }
  return { request, accepted }
}

function read(bytes: Buffer): Evidence | string {
  try {
    return readEvidence(bytes)
  } catch (error) {
    if (error instanceof MalformedEvidence) return `it cannot be read: ${error.message}`
    throw error
  }
}

const requestOf = ({ tx }: ChangeContext, nonce: string) =>
  tx
    .selectFrom('cps_attestations')
    .selectAll()
    .where('nonce', '=', nonce)
    .forUpdate()
    .executeTakeFirst()

const certificateOf = ({ tx }: ChangeContext, fingerprint: string) =>
  tx
    .selectFrom('cps_certificates')
    .selectAll()
    .where('fingerprint', '=', fingerprint)
    .executeTakeFirst()

function faultOf(
  certificate: Awaited<ReturnType<typeof certificateOf>>,
  device: DeviceRow,
  evidence: Evidence,
  now: number,
): string | undefined {
  if (!certificate || certificate.device_id !== device.id) {
    return 'it names a certificate that is not of this device'
  }
  if (certificate.status !== 'active') return 'its certificate is revoked'
  if (certificate.not_after.getTime() < now) return 'its certificate has expired'
  const { publicKey } = new X509Certificate(certificate.certificate_pem)
  return evidence.isSignedBy(publicKey) ? undefined : 'its signature does not hold'
}

/** A second answer that says the same is a repeat; one from another start is somebody else's. */
async function answeredBefore(
  deps: EvidenceDeps,
  change: ChangeContext,
  device: DeviceRow,
  request: AttestationRow,
  { evidence: { claims }, bytes }: Accepted,
): Promise<string | undefined> {
  if (request.evidence?.equals(bytes)) {
    const isOld = await wasAskedSince(change, request)
    return isOld ? 'it is an old answer once more: a replay' : undefined
  }
  const boot = request.claims && {
    count: request.claims.boot_count,
    seed: request.claims.boot_seed,
  }
  const clone = cloneOf({ claims, boot })
  if (clone) {
    await markCloned(deps.raiseAlert, change, device, clone)
    return undefined
  }
  // Signed anew after a crash between the answer and the note of it: the first one counts.
  if (claims.boot_count > (boot?.count ?? 0)) return undefined
  return 'its nonce was answered already'
}

/** A device that missed an acknowledgement sends its answer again before it is asked anything else. */
async function wasAskedSince({ tx }: ChangeContext, { device_id, received_at }: AttestationRow) {
  const newer = await tx
    .selectFrom('cps_attestations')
    .select('id')
    .where('device_id', '=', device_id)
    .where('requested_at', '>', received_at ?? new Date())
    .where('status', 'in', ['delivered', 'answered'])
    .limit(1)
    .executeTakeFirst()
  return newer !== undefined
}

async function refuse(
  { raiseAlert }: EvidenceDeps,
  change: ChangeContext,
  device: DeviceRow,
  reason: string,
): Promise<void> {
  await change.audit({
    action: 'attestation.refuse',
    target: `device:${device.id}`,
    after: { reason },
  })
  await alertAbout(raiseAlert, change, device, 'refused', `An answer was refused: ${reason}.`)
}
