import { conflict } from '@manara/kit/errors'
import type { EnrolmentCode } from '@manara/soc-contract/cps'
import type { ChangeContext } from '../../../core/change/operator-change.ts'
import { lockDevice } from '../devices/devices.store.ts'
import { codeHash, freshCode } from './enrolment-code.ts'

/** A code with which the device enrols once. An unused one from before is no longer good. */
export async function createCode(
  change: ChangeContext,
  deviceId: string,
  asked: { validSeconds: number; now: number; caFingerprint: string },
): Promise<EnrolmentCode> {
  const device = await lockDevice(change.tx, deviceId)
  if (device.status === 'revoked') {
    throw conflict('the device is revoked: make a new device for a new certificate')
  }
  await change.tx
    .deleteFrom('cps_enrolment_codes')
    .where('device_id', '=', device.id)
    .where('used_at', 'is', null)
    .execute()
  const code = freshCode()
  const expiresAt = new Date(asked.now + asked.validSeconds * 1_000)
  await change.tx
    .insertInto('cps_enrolment_codes')
    .values({
      code_hash: codeHash(code),
      device_id: device.id,
      created_by: change.principal.username,
      expires_at: expiresAt,
    })
    .execute()
  const expires_at = expiresAt.toISOString()
  await change.audit({
    action: 'device.enrolment_code',
    target: `device:${device.id}`,
    after: { expires_at },
  })
  return { device_id: device.id, code, expires_at, ca_fingerprint: asked.caFingerprint }
}
