import type { Device, RevokeRequest } from '@manara/soc-contract/cps'
import type { ChangeContext } from '../../../core/change/operator-change.ts'
import { changeDevice, deviceById, lockDevice } from './devices.store.ts'

/**
 * Every certificate of the device at once, for good: it comes back only as a new device. That its key
 * was stolen may be found out later; nothing else is changed about a revocation.
 */
export async function revokeDevice(
  change: ChangeContext,
  id: string,
  { reason, note }: RevokeRequest,
  now: number,
): Promise<Device> {
  const { tx } = change
  const row = await lockDevice(tx, id)
  const before = await deviceById(tx, row.id)
  if (row.status === 'revoked') {
    const isNews = reason === 'key_compromise' && (await raiseToCompromise(tx, row.id))
    return isNews ? tell(change, before, await changeDevice(tx, row.id, {}), note) : before
  }
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
  return tell(change, before, after, note)
}

/** As if it had been said at once, of those certificates that the revocation ended. */
async function raiseToCompromise(tx: ChangeContext['tx'], deviceId: string): Promise<boolean> {
  const raised = await tx
    .updateTable('cps_certificates')
    .set({ reason: 'key_compromise' })
    .where('device_id', '=', deviceId)
    .where('status', '=', 'revoked')
    .where('reason', 'is distinct from', 'key_compromise')
    .where('revoked_at', '=', (all) =>
      all
        .selectFrom('cps_certificates as own')
        .select(({ fn }) => fn.max('own.revoked_at').as('last'))
        .where('own.device_id', '=', deviceId),
    )
    .returning('serial')
    .execute()
  return raised.length > 0
}

async function tell(
  change: ChangeContext,
  before: Device,
  after: Device,
  note: RevokeRequest['note'],
): Promise<Device> {
  await change.audit({
    action: 'device.revoke',
    target: `device:${after.id}`,
    before,
    after: note ? { ...after, note } : after,
  })
  await change.publish('device.revoked', after)
  return after
}
