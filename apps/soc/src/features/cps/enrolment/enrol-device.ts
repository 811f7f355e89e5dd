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
  return issueCertificate(change, issuing, device.id, request, 'device.enrol')
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
