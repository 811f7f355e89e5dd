import { randomUUIDv7 } from 'node:crypto'
import { conflict } from '@manara/kit/errors'
import type { Firmware, FirmwareCreate, FirmwareUpdate } from '@manara/soc-contract/firmware'
import { sql } from 'kysely'
import type { ChangeContext } from '../../core/change/operator-change.ts'
import { versionKey } from './domain/version-key.ts'
import { firmwareById } from './firmware.store.ts'
import { signingKeyOf } from './signing-key.ts'

export async function createFirmware(
  change: ChangeContext,
  body: FirmwareCreate,
): Promise<Firmware> {
  const added = await change.tx
    .insertInto('firmware')
    .values({
      ...body,
      id: randomUUIDv7(),
      version_key: versionKey(body.version),
      key_id: await signingKeyOf(change.tx, body),
      origin: 'manual',
      created_by: change.principal.username,
    })
    .onConflict((taken) => taken.column('sha256').doNothing())
    .returning('id')
    .executeTakeFirst()
  if (!added) throw conflict(`sha256: ${body.sha256} is known already`)
  const after = await firmwareById(change.tx, added.id)
  await change.audit({ action: 'firmware.create', target: `firmware:${after.id}`, after })
  await change.publish('firmware.created', after)
  return after
}

export async function updateFirmware(
  change: ChangeContext,
  id: string,
  fields: FirmwareUpdate,
): Promise<Firmware> {
  const before = await firmwareById(change.tx, id)
  const { vendor = before.vendor, version = before.version } = fields
  const { release_notes = before.release_notes, signature = before.signature.value } = fields
  const isSignedAnew =
    fields.vendor !== undefined ||
    fields.release_notes !== undefined ||
    fields.signature !== undefined
  await change.tx
    .updateTable('firmware')
    .set({
      ...fields,
      version_key: versionKey(version),
      ...(isSignedAnew
        ? {
            key_id: await signingKeyOf(change.tx, {
              ...{ vendor, release_notes, signature },
              sha256: before.sha256,
            }),
          }
        : {}),
      updated_at: sql<Date>`now()`,
    })
    .where('id', '=', id)
    .execute()
  const after = await firmwareById(change.tx, id)
  await change.audit({ action: 'firmware.update', target: `firmware:${before.id}`, before, after })
  await change.publish('firmware.updated', after)
  return after
}

export async function deleteFirmware(change: ChangeContext, asked: string) {
  const before = await firmwareById(change.tx, asked)
  const { id } = before
  await change.tx.deleteFrom('firmware').where('id', '=', id).execute()
  await change.audit({ action: 'firmware.delete', target: `firmware:${before.id}`, before })
  await change.publish('firmware.deleted', { id })
  return { deleted: true as const, id }
}
