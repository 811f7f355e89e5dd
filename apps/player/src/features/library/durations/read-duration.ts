import { flacDuration } from './flac.ts'
import { mp3Duration } from './mp3.ts'
import { oggDuration } from './ogg.ts'
import type { Read } from './read.ts'
import { wavDuration } from './wav.ts'

/** Whole milliseconds, by what the file begins with rather than by what it is called. */
export async function readDuration(read: Read, size: number): Promise<number | undefined> {
  const start = await skipTags(read)
  const magic = (await read(start, 12)).toString('latin1')
  const ms = await durationAs(magic)
  return ms === undefined || !Number.isFinite(ms) || ms <= 0 ? undefined : Math.round(ms)

  async function durationAs(magic: string): Promise<number | undefined> {
    if (magic.startsWith('fLaC')) return flacDuration(read, start)
    if (magic.startsWith('OggS')) return oggDuration(read, start, size)
    if (magic.startsWith('RIFF') && magic.endsWith('WAVE')) return wavDuration(read, start, size)
    return mp3Duration(read, start, size)
  }
}

// Taggers put ID3v2 in front of anything, some of them twice; covers make it megabytes long.
async function skipTags(read: Read): Promise<number> {
  let start = 0
  for (let tags = 0; tags < 4; tags += 1) {
    const head = await read(start, 10)
    if (head.length < 10 || head.toString('latin1', 0, 3) !== 'ID3') break
    const hasFooter = (head.readUInt8(5) & 0x10) !== 0
    start += 10 + syncSafe(head.readUInt32BE(6)) + (hasFooter ? 10 : 0)
  }
  return start
}

// Seven bits a byte, so that a size never looks like an MPEG frame (ID3v2.4 §6.2).
const syncSafe = (word: number) =>
  ((word & 0x7f000000) >>> 3) | ((word & 0x7f0000) >>> 2) | ((word & 0x7f00) >>> 1) | (word & 0x7f)
