import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { kindOf } from '@manara/audio-headers/kind-of'
import { readMp3Info } from '@manara/audio-headers/mp3-info'
import { afterTags, claimedEnd } from '@manara/audio-headers/tags'
import { type ByteReader, openBytes } from '../embedded/byte-reader.ts'
import { createMp3Seek } from '../embedded/mp3-seek.ts'
import { ALWAYS } from './process.ts'

const PATIENCE_MS = 10_000

/** What mpv opens, how long at most it lasts, and its size now. */
type Playable = { target: string; longest_ms: number; size: number }

/**
 * Throws when mpv could not play the file. Loading it would end what plays now, so what does not
 * begin like sound is tried by an mpv of its own that is heard by nobody.
 */
export async function checkPlayable(path: string, command = 'mpv'): Promise<Playable> {
  const { kind, ...found } = await lookAt(path)
  if (kind === 'playlist') throw new Error('a playlist is not sound')
  if (kind !== undefined) return found
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
  return found
}

/** mpv believes a tag that claims to be longer than it is, and the header of a file that was cut. */
async function lookAt(path: string) {
  const bytes = await openBytes(path)
  try {
    const start = await afterTags(bytes)
    const kind = await kindOf(bytes, start)
    const isHidden = start !== (await claimedEnd(bytes))
    const target = isHidden ? `slice://${start}@${path}` : path
    const longest_ms = kind === 'mp3' ? await cutLength(bytes, start) : undefined
    const { size } = bytes
    return { kind, target, size, longest_ms: longest_ms ?? Number.POSITIVE_INFINITY }
  } finally {
    await bytes.close()
  }
}

async function cutLength(bytes: ByteReader, start: number): Promise<number | undefined> {
  const info = await readMp3Info(bytes, start)
  if (!info?.estimated) return undefined
  const count = await createMp3Seek(bytes, info).count()
  return ((count * info.header.samples - info.delay) / info.header.rate) * 1000
}
