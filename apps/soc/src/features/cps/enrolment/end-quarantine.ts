import { conflict } from '@manara/kit/errors'
import type { ChangeContext } from '../../../core/change/operator-change.ts'
import type { SigningRequest } from '../authority/read-request.ts'
import type { DeviceRow } from '../devices/device-record.ts'
import { changeDevice, deviceById } from '../devices/devices.store.ts'

/**
 * A device whose certificate two have used, and that somebody enrols anew: only a new key tells it
 * from its copy. What is known of its starts and its boot may be of either, and begins anew too.
 */
export async function endQuarantine(
  change: ChangeContext,
  { id }: DeviceRow,
  request: SigningRequest,
  now: number,
): Promise<void> {
  const { tx } = change
  const held = await tx
    .selectFrom('cps_certificates')
    .select('serial')
    .where('device_id', '=', id)
    .where('key_sha256', '=', request.keySha256)
    .executeTakeFirst()
  if (held) throw conflict('csr: its key is used by two: make a new key on this device')
  await tx
    .updateTable('cps_certificates')
    .set({ status: 'revoked', reason: 'superseded', revoked_at: new Date(now) })
    .where('device_id', '=', id)
    .where('status', '=', 'active')
    .execute()
  const before = await deviceById(tx, id)
  const after = await changeDevice(tx, id, {
    status: 'offline',
    trust_status: 'unknown',
    ...{ reference: null, boot_count: null, boot_seed: null },
  })
  await change.audit({ action: 'device.release', target: `device:${id}`, before, after })
}
