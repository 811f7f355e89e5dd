import { rename, rm, writeFile } from 'node:fs/promises'
import path from 'node:path'
import type { Manifest } from '@manara/player-contract/firmware'
import { spareSlot, staged } from './domain/boot-plan.ts'
import type { Slots } from './slots.ts'
import { syncFolder, unpackImage } from './unpack-image.ts'

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
  const slot = spareSlot(slots.readRecord())
  const staging = slots.staging(slot)
  const target = slots.dir(slot)
  try {
    await rm(staging, { recursive: true, force: true })
    await unpackImage(file, staging, manifest.unpacked_size, onProgress)
    await writeFile(path.join(staging, 'manifest.json'), JSON.stringify(manifest), { flush: true })
    await syncFolder(staging)
    await rm(target, { recursive: true, force: true })
    await rename(staging, target)
    await syncFolder(path.dirname(target))
  } catch (error) {
    await rm(staging, { recursive: true, force: true })
    throw error
  }
  slots.writeRecord(staged(slots.readRecord(), { slot, version: manifest.version, mode }))
}
