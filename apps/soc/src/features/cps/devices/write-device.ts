import { randomUUIDv7 } from 'node:crypto'
import { conflict, invalid } from '@manara/kit/errors'
import type { Device, DeviceUpdate, NewDevice } from '@manara/soc-contract/cps'
import type { ChangeContext } from '../../../core/change/operator-change.ts'
import { changeDevice, deviceById, lockDevice, planFirst } from './devices.store.ts'

/** Rejects with 404 when there is no such site; it stays while the transaction lasts. */
export type HoldSite = (tx: ChangeContext['tx'], siteId: string) => Promise<unknown>

/** A device of its owner's saying: it is managed once it has enrolled. */
export async function createDevice(
  change: ChangeContext,
  body: NewDevice,
  holdSite: HoldSite,
): Promise<Device> {
  if (body.site_id) await holdSite(change.tx, body.site_id)
  await refuseTakenNode(change, body.sparkplug_node, undefined)
  const id = randomUUIDv7()
  await change.tx
    .insertInto('cps_devices')
    .values({ ...body, id, managed: true })
    .execute()
  const after = await deviceById(change.tx, id)
  await change.audit({ action: 'device.create', target: `device:${id}`, after })
  await change.publish('device.created', after)
  return after
}

export async function updateDevice(
  change: ChangeContext,
  id: string,
  body: DeviceUpdate,
  holdSite: HoldSite,
): Promise<Device> {
  if (Object.keys(body).length === 0) throw invalid('body', 'must name what changes')
  if (body.site_id) await holdSite(change.tx, body.site_id)
  const row = await lockDevice(change.tx, id)
  await refuseTakenNode(change, body.sparkplug_node, row.id)
  const before = await deviceById(change.tx, row.id)
  const isNewSchedule =
    body.attest_every_s !== undefined && body.attest_every_s !== row.attest_every_s
  await changeDevice(change.tx, row.id, {
    ...body,
    // The next one is worked out from the new interval.
    ...(isNewSchedule ? { next_attestation_at: null } : {}),
  })
  if (isNewSchedule) await planFirst(change.tx, row.id)
  const after = await deviceById(change.tx, row.id)
  await change.audit({ action: 'device.update', target: `device:${row.id}`, before, after })
  await change.publish('device.updated', after)
  return after
}

/** Two gateways of one name would read as one. */
async function refuseTakenNode(
  { tx }: ChangeContext,
  node: string | null | undefined,
  own: string | undefined,
) {
  if (!node) return
  const taken = await tx
    .selectFrom('cps_devices')
    .select('id')
    .where('sparkplug_node', '=', node)
    .executeTakeFirst()
  if (taken && taken.id !== own) throw conflict(`sparkplug_node: belongs to device ${taken.id}`)
}
