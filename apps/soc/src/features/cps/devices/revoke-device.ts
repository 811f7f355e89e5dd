import type { Device, RevokeRequest } from '@manara/soc-contract/cps'
import type { ChangeContext } from '../../../core/change/operator-change.ts'
import { changeDevice, deviceById, lockDevice } from './devices.store.ts'

/** Every certificate of the device at once, for good: it comes back only as a new device. */
export async function revokeDevice(
  change: ChangeContext,
  id: string,
  { reason, note }: RevokeRequest,
  now: number,
): Promise<Device> {
  const { tx } = change
  const row = await lockDevice(tx, id)
  const before = await deviceById(tx, row.id)
  if (row.status === 'revoked') return before
  await tx
    .updateTable('cps_certificates')
    .set({ status: 'revoked', revoked_at: new Date(now), reason })
    .where('device_id', '=', row.id)
    .where('status', '=', 'active')
    .execute()
  await tx.deleteFrom('cps_enrolment_codes').where('device_id', '=', row.id).execute()
  await tx
    .updateTable('cps_attestations')
    .set({ status: 'cancelled', reason: 'the device was revoked before it answered' })
    .where('device_id', '=', row.id)
    .where('status', 'in', ['requested', 'delivered'])
    .execute()
  await tx.deleteFrom('cps_outbox').where('device_id', '=', row.id).execute()
  const after = await changeDevice(tx, row.id, {
    status: 'revoked',
    trust_status: 'untrusted',
    next_attestation_at: null,
  })
  await change.audit({
    action: 'device.revoke',
    target: `device:${row.id}`,
    before,
    after: note ? { ...after, note } : after,
  })
  await change.publish('device.revoked', after)
  return after
}
