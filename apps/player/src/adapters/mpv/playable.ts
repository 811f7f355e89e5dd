import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { open, stat } from 'node:fs/promises'
import { kindOf } from '@manara/audio-headers/kind-of'
import { afterTags } from '@manara/audio-headers/tags'
import { ALWAYS } from './process.ts'

const PATIENCE_MS = 10_000

/**
 * Throws when mpv could not play the file. Loading it would end what plays now, so what does not
 * begin like sound is tried by an mpv of its own that is heard by nobody.
 */
export async function checkPlayable(path: string, command = 'mpv'): Promise<void> {
  const kind = await kindOfFile(path)
  if (kind === 'playlist') throw new Error('a playlist is not sound')
  if (kind !== undefined) return
  const trial = [
    '--idle=no',
    '--ao=null',
    '--untimed',
    '--length=0.1',
    '--keep-open=no',
    '--',
    path,
  ]
  const child = spawn(command, [...ALWAYS, ...trial], { stdio: 'ignore', timeout: PATIENCE_MS })
  const [code] = await once(child, 'exit')
  if (code !== 0) throw new Error('not a sound file of a known kind')
}

async function kindOfFile(path: string) {
  const found = await stat(path)
  // Opening a named pipe would wait for its other end for ever.
  if (!found.isFile()) throw new Error(`${path} is not a file`)
  await using file = await open(path)
  const read = async (position: number, length: number) => {
    const { buffer, bytesRead } = await file.read(Buffer.alloc(length), 0, length, position)
    return buffer.subarray(0, bytesRead)
  }
  const source = { size: found.size, read }
  return await kindOf(source, await afterTags(source))
}
