import { existsSync } from 'node:fs'
import { rename, rm, writeFile } from 'node:fs/promises'
import path from 'node:path'
import type { Manifest, Slot } from '@manara/player-contract/firmware'
import { ENTRY, type Slots } from './slots.ts'
import { syncFolder, unpackImage } from './unpack-image.ts'

/** Unpacks a verified archive beside the slot, and puts it there whole or not at all. */
export async function fillSlot(
  slots: Slots,
  slot: Slot,
  { file, manifest }: { file: string; manifest: Manifest },
  onProgress: (share: number) => void = () => {},
): Promise<void> {
  const staging = slots.staging(slot)
  const target = slots.dir(slot)
  try {
    await rm(staging, { recursive: true, force: true })
    await unpackImage(file, staging, manifest.unpacked_size, onProgress)
    if (!existsSync(path.join(staging, ENTRY))) throw new Error('holds no player')
    await writeFile(path.join(staging, 'manifest.json'), JSON.stringify(manifest), { flush: true })
    await syncFolder(staging)
    await rm(target, { recursive: true, force: true })
    await rename(staging, target)
    await syncFolder(path.dirname(target))
  } catch (error) {
    await rm(staging, { recursive: true, force: true })
    throw error
  }
}
