import { stat } from 'node:fs/promises'
import path from 'node:path'
import { asSpelled } from '@manara/kit/as-spelled'
import { invalid } from '@manara/kit/errors'

const PREFIX = 'data:'

/** `data:fajr.mp3` names a sound that is kept in the box itself and stays when the card is pulled out. */
export const isKept = (sound: string) => sound.startsWith(PREFIX)

export const keptName = (sound: string) => sound.slice(PREFIX.length)

export const keptSounds = (dataDir: string) => path.join(dataDir, 'sounds')

/** The absolute path of a sound in the box; throws 400 naming `path`. */
export async function findKeptSound(dataDir: string, sound: string): Promise<string> {
  const name = keptName(sound)
  if (!/^[^/\\\0.][^/\\\0]*$/.test(name)) throw invalid('path', 'data: takes the name of a file')
  const file = await asSpelled(keptSounds(dataDir), name)
  const found = await stat(file).catch(() => undefined)
  if (!found?.isFile()) throw invalid('path', 'names no sound that is kept in the box')
  return file
}
