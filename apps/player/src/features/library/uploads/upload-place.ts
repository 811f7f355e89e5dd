import { access, constants, mkdir, open, realpath, rename, stat, statfs } from 'node:fs/promises'
import path from 'node:path'
import { asSpelled } from '@manara/kit/as-spelled'
import { conflict, invalid } from '@manara/kit/errors'

/** A folder that uploads end in: the card, or the sounds of the box. */
export type Place = {
  root: string
  /** Undefined while something can be written there. */
  whyNot(): Promise<string | undefined>
}

/** Hidden, so that no scan takes what is in it for a recitation; on the card, so that a rename is enough. */
export const draftsOf = ({ root }: Place) => path.join(root, '.manara-upload')

/** Why nothing can be written there, found out by writing. */
export async function whyNotWritable(place: Place): Promise<string | undefined> {
  const reason = await place.whyNot()
  if (reason) return reason
  try {
    // Not recursive: where no folder can be made at all, as in /proc, Node would try for ever.
    await mkdir(draftsOf(place)).catch((error) => {
      if (error.code !== 'EEXIST') throw error
    })
    await access(draftsOf(place), constants.W_OK)
    return undefined
  } catch (error) {
    const { code = '' } = error as NodeJS.ErrnoException
    if (code === 'EROFS') return 'is read-only: take its lock off, or mount it for writing'
    if (code === 'EACCES' || code === 'EPERM') return 'may not be written by the service'
    return `cannot be written (${code})`
  }
}

export async function roomIn({ root }: Place): Promise<{ free: number; total: number }> {
  const found = await statfs(root).catch(() => undefined)
  if (!found) return { free: 0, total: 0 }
  return { free: found.bavail * found.bsize, total: found.blocks * found.bsize }
}

export async function refuseTaken(place: Place, relative: string, overwrite: boolean) {
  const found = await stat(await asSpelled(place.root, relative)).catch(() => undefined)
  if (found?.isDirectory()) throw invalid('path', 'names a folder')
  if (found && !overwrite) throw conflict('path: is taken; send overwrite true to replace the file')
}

/** The file appears under its name whole and on disk, or not at all. */
export async function moveInto(place: Place, draft: string, relative: string): Promise<void> {
  const target = await asSpelled(place.root, relative)
  const folder = path.dirname(target)
  await staysInside(place.root, folder)
  const firstMade = await mkdir(folder, { recursive: true })
  await rename(draft, target)
  await namesToDisk(folder)
  if (firstMade) await namesToDisk(path.dirname(firstMade))
}

async function namesToDisk(folder: string): Promise<void> {
  await using names = await open(folder, 'r')
  await names.sync()
}

/** A link on the card may lead anywhere; nothing is made beyond it. */
async function staysInside(root: string, folder: string): Promise<void> {
  let existing = folder
  while (!(await stat(existing).catch(() => undefined))) existing = path.dirname(existing)
  const [real, realRoot] = await Promise.all([realpath(existing), realpath(root)])
  const isInside = real === realRoot || real.startsWith(`${realRoot}/`)
  if (!isInside) throw invalid('path', 'leads out of the card')
}
