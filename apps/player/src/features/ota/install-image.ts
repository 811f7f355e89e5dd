import { rename } from 'node:fs/promises'
import type { Manifest } from '@manara/player-contract/firmware'
import { spareSlot, staged } from './domain/boot-plan.ts'
import { fillSlot } from './fill-slot.ts'
import { sealSlot } from './mend-slot.ts'
import type { Slots } from './slots.ts'

/**
 * Fills the spare slot and names it as the next to be started. Until the record is written the box
 * starts what it always did; the record is the switch, and is whole or not there.
 */
export async function installImage(
  slots: Slots,
  update: { file: string; manifest: Manifest; mode: 'pull' | 'upload' },
  onProgress: (share: number) => void,
): Promise<void> {
  const { file, manifest, mode } = update
  const record = slots.readRecord()
  const slot = spareSlot(record)
  // From now on there is no going back to what it holds.
  if (record.before === slot) slots.writeRecord({ ...record, before: null })
  await fillSlot(slots, slot, update, onProgress)
  await rename(file, slots.archive(slot))
  await sealSlot(slots, slot, manifest)
  slots.writeRecord(staged(slots.readRecord(), { slot, version: manifest.version, mode }))
}
