import { unauthorized } from '@manara/kit/errors'
import type { ChangeContext } from '../../../core/change/operator-change.ts'
import type { SigningRequest } from '../authority/read-request.ts'
import type { CertificateRow } from '../devices/device-record.ts'
import { lockDevice } from '../devices/devices.store.ts'
import { endQuarantine } from './end-quarantine.ts'
import { codeHash } from './enrolment-code.ts'
import { type Issuing, issueCertificate } from './issue-certificate.ts'

/**
 * The first certificate of a device, for a code that is good once. The answer may get lost with the
 * line: the same code with the same key is then answered with the same certificate.
 */
export async function enrolDevice(
  change: ChangeContext,
  issuing: Issuing,
  code: string,
  request: SigningRequest,
): Promise<CertificateRow> {
  const { tx } = change
  const known = await tx
    .selectFrom('cps_enrolment_codes')
    .selectAll()
    .where('code_hash', '=', codeHash(code))
    .forUpdate()
    .executeTakeFirst()
  if (!known || known.expires_at.getTime() <= issuing.now) throw wrongCode()
  const device = await lockDevice(tx, known.device_id)
  if (device.status === 'revoked') throw wrongCode()
  if (known.used_at) return answerAgain(change, known.device_id, request)
  await tx
    .updateTable('cps_enrolment_codes')
    .set({ used_at: new Date(issuing.now) })
    .where('code_hash', '=', known.code_hash)
    .execute()
  if (device.status === 'quarantined') await endQuarantine(change, device, request, issuing.now)
  else await forgetStarts(change, device.id, request)
  return issueCertificate(change, issuing, device.id, request, 'device.enrol')
}

/** A key that it never had is a new beginning: one that was set up anew counts its starts from one. */
async function forgetStarts({ tx }: ChangeContext, id: string, { keySha256 }: SigningRequest) {
  const own = tx
    .selectFrom('cps_certificates')
    .select('device_id')
    .where('key_sha256', '=', keySha256)
  await tx
    .updateTable('cps_devices')
    .set({ boot_count: null, boot_seed: null })
    .where('id', '=', id)
    .where('id', 'not in', own)
    .execute()
}

async function answerAgain({ tx }: ChangeContext, deviceId: string, request: SigningRequest) {
  const issued = await tx
    .selectFrom('cps_certificates')
    .selectAll()
    .where('device_id', '=', deviceId)
    .where('key_sha256', '=', request.keySha256)
    .where('status', '=', 'active')
    .executeTakeFirst()
  if (!issued) throw wrongCode()
  return issued
}

const wrongCode = () =>
  unauthorized('code: is unknown, used or expired: ask for a new enrolment code')
