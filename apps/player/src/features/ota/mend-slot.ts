import { readFile } from 'node:fs/promises'
import { treeDigest } from '@manara/kit/tree-digest'
import { writeFileDurably } from '@manara/kit/write-durably'
import { Manifest, type Slot } from '@manara/player-contract/firmware'
import { z } from 'zod'
import { fillSlot } from './fill-slot.ts'
import { verifyImage } from './receive-image.ts'
import type { Slots } from './slots.ts'

/** What a slot was filled with: the image, and one hash over all of its files. */
const Seal = z.object({ manifest: Manifest, files_sha256: z.string() })

/** To be told from what a worn card makes of it later. */
export async function sealSlot(slots: Slots, slot: Slot, manifest: Manifest): Promise<void> {
  const files_sha256 = await treeDigest(slots.dir(slot))
  await writeFileDurably(slots.seal(slot), JSON.stringify({ manifest, files_sha256 }), 0o600)
}

/**
 * What was in the slot, if its files are no longer what they were; undefined when they are, or when
 * nobody knows. Reads all of them: for a version that has failed, not for every start.
 */
export async function damageOf(slots: Slots, slot: Slot): Promise<Manifest | undefined> {
  const seal = await readSeal(slots, slot)
  if (!seal) return undefined
  // What cannot be read any more is damaged as well.
  const found = await treeDigest(slots.dir(slot)).catch(() => undefined)
  return found === seal.files_sha256 ? undefined : seal.manifest
}

/** Unpacks it again, to other places of the disk. Throws when the archive is spoilt too, or the disk full. */
export async function mendSlot(slots: Slots, slot: Slot, manifest: Manifest): Promise<void> {
  const file = slots.archive(slot)
  await verifyImage(file, manifest)
  await fillSlot(slots, slot, { file, manifest })
  if (await damageOf(slots, slot)) throw new Error('the disk does not keep what is written to it')
}

async function readSeal(slots: Slots, slot: Slot) {
  try {
    return Seal.parse(JSON.parse(await readFile(slots.seal(slot), 'utf8')))
  } catch {
    return undefined
  }
}
