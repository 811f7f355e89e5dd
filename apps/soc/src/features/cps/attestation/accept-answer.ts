import { conflict, notFound } from '@manara/kit/errors'
import type { AcceptRequest, Device } from '@manara/soc-contract/cps'
import type { ChangeContext } from '../../../core/change/operator-change.ts'
import { isRecordId } from '../../../db/record-id.ts'
import { changeDevice, lockDevice } from '../devices/devices.store.ts'
import { type AttestationRow, foundInOrder, referenceIn } from './attestation-record.ts'

/**
 * What somebody has looked at and knows the reason of becomes the reference values of the device. The
 * verdict of the answer stays, and so does the trust, until the next answer is appraised.
 */
export async function acceptAnswer(
  change: ChangeContext,
  id: string,
  { note }: AcceptRequest,
): Promise<Device> {
  const { tx } = change
  const asked = await answerById(tx, id)
  const device = await lockDevice(tx, asked.device_id)
  if (device.status === 'revoked') throw conflict('the device is revoked')
  if (device.status === 'quarantined') {
    throw conflict('two have used the certificate of the device: enrol it anew with a new key')
  }
  if (!asked.claims) throw conflict('there is no answer to this request that could be accepted')
  const newest = await newestAnswerOf(tx, device.id)
  if (newest !== asked.id) throw conflict(`there is a newer answer of the device: ${newest}`)
  const { firmware, measurements } = asked.claims
  const accepted = { ...device.reference?.accepted, [firmware.sha256]: measurements }
  const after = await changeDevice(tx, device.id, foundInOrder(asked.claims, accepted))
  await change.audit({
    action: 'device.accept',
    target: `device:${device.id}`,
    before: { reference: device.reference },
    after: { reference: referenceIn(asked.claims), attestation_id: asked.id, note: note ?? null },
  })
  await change.publish('device.updated', after)
  return after
}

async function answerById(tx: ChangeContext['tx'], id: string): Promise<AttestationRow> {
  const row = isRecordId(id)
    ? await tx.selectFrom('cps_attestations').selectAll().where('id', '=', id).executeTakeFirst()
    : undefined
  if (!row) throw notFound('attestation', id)
  return row
}

const newestAnswerOf = async (tx: ChangeContext['tx'], deviceId: string) =>
  (
    await tx
      .selectFrom('cps_attestations')
      .select('id')
      .where('device_id', '=', deviceId)
      .where('status', '=', 'answered')
      .orderBy('received_at', 'desc')
      .limit(1)
      .executeTakeFirst()
  )?.id
