import { createHash } from 'node:crypto'
import { lstat, mkdir, readFile, rename, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { asSpelled } from '@manara/kit/as-spelled'
import { invalid } from '@manara/kit/errors'
import { syncToDisk } from '@manara/kit/write-durably'
import { type Backup, MOST_SOUND_BYTES } from '@manara/player-contract/backup'

type OwnSounds = Pick<Backup, 'sounds' | 'left_out'>
type Kept = { name: string; content: Buffer }

const digestOf = (content: Buffer) => createHash('sha256').update(content).digest('hex')

/** The chosen ones that are there, as many as a file that a phone opens can hold. */
export async function packSounds(folder: string, names: string[]): Promise<OwnSounds> {
  const sounds: NonNullable<OwnSounds['sounds']> = []
  const left_out: string[] = []
  let room = MOST_SOUND_BYTES
  for (const name of names) {
    const file = await asSpelled(folder, name)
    const found = await lstat(file).catch(() => undefined)
    if (!found?.isFile()) continue
    if (found.size > room) {
      left_out.push(name)
      continue
    }
    room -= found.size
    const content = await readFile(file)
    sounds.push({ name, digest: digestOf(content), data: content.toString('base64') })
  }
  return { sounds, left_out }
}

/** Throws where one was cut or changed on its way. */
export function unpackSounds({ sounds = [] }: Backup): Kept[] {
  return sounds.map(({ name, digest, data }, index) => {
    const content = Buffer.from(data, 'base64')
    if (digestOf(content) !== digest) {
      throw invalid(`sounds.${index}`, `${name} was cut or changed: choose another file`)
    }
    return { name, content }
  })
}

/** Each whole under its name, or as it was; others stay. */
export async function placeSounds(folder: string, sounds: Kept[]) {
  if (sounds.length === 0) return
  await mkdir(folder, { recursive: true })
  const draft = path.join(folder, '.backup.new')
  for (const { name, content } of sounds) {
    await writeFile(draft, content)
    syncToDisk(draft)
    await rename(draft, path.join(folder, name))
  }
  syncToDisk(folder)
}
