import type { Logger } from '@manara/kit/logging'
import type { ChangeContext, Changes } from '../../../core/change/operator-change.ts'
import { tryInside } from '../../../core/change/try-inside.ts'
import type { DeliveryPhase } from '../../../db/tables/cps.ts'
import { changeDevice, lockDevice } from '../devices/devices.store.ts'
import { trustAfter } from '../domain/trust.ts'
import { toAttestation } from './attestation-record.ts'
import { alertAbout, type RaiseAlert } from './device-alerts.ts'

const AT_ONCE = 100

/** Requests that nobody answered in time end as such, and their devices are believed less. */
export async function expireRequests(deps: {
  internalWorkflow: Changes['internalWorkflow']
  raiseAlert: RaiseAlert
  log: Pick<Logger, 'error'>
  now(): number
  /** The device has not answered. */
  onSilent(deviceId: string): void
}): Promise<boolean> {
  return deps.internalWorkflow(async (change) => {
    const { tx } = change
    const due = await tx
      .selectFrom('cps_attestations as asked')
      .leftJoin('cps_outbox', 'attestation_id', 'asked.id')
      .select(['asked.id', 'asked.device_id', 'delivered_at', 'phase'])
      .where('status', 'in', ['requested', 'delivered'])
      .where('asked.expires_at', '<=', new Date(deps.now()))
      .orderBy('asked.device_id')
      .limit(AT_ONCE)
      .execute()
    for (const request of due) {
      // One that fails must not keep the others waiting, for ever.
      const failed = await tryInside(change, (part) => expire(deps.raiseAlert, part, request))
      if (failed) deps.log.error({ err: failed.thrown, request: request.id }, 'did not expire')
      else deps.onSilent(request.device_id)
    }
    return due.length === AT_ONCE
  })
}

type Due = {
  id: string
  device_id: string
  delivered_at: Date | null
  phase: DeliveryPhase | null
}

async function expire(raiseAlert: RaiseAlert, change: ChangeContext, request: Due) {
  const { tx } = change
  const { id, device_id } = request
  // The device first, as an answer does it that may come this very moment.
  const device = await lockDevice(tx, device_id)
  const reason = reasonOf(request)
  const row = await tx
    .updateTable('cps_attestations')
    .set({ status: 'expired', verdict: 'none', reason })
    .where('id', '=', id)
    .where('status', 'in', ['requested', 'delivered'])
    .returningAll()
    .executeTakeFirst()
  if (!row) return
  await tx.deleteFrom('cps_outbox').where('attestation_id', '=', id).execute()
  const trust = trustAfter(device.trust_status, 'none')
  const after = await changeDevice(tx, device.id, {
    trust_status: trust,
    missed: device.missed + 1,
  })
  await change.publish('attestation.expired', toAttestation(row))
  if (trust !== device.trust_status) {
    await change.audit({
      action: 'device.trust',
      target: `device:${device.id}`,
      before: { trust_status: device.trust_status },
      after: { trust_status: trust, verdict: 'none', reason },
    })
    await change.publish('device.updated', after)
  }
  await alertAbout(raiseAlert, change, device, 'missing', `${reason}.`)
}

function reasonOf({ delivered_at, phase }: Due): string {
  if (delivered_at) return 'the device took the request and did not answer in time'
  // Whether it was passed on, only that broker knows.
  if (phase === 'delivered') return 'the broker took the request, no answer came in time'
  return 'the request could not be delivered in time: the device was not connected'
}
