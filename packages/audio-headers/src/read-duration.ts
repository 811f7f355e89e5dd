import type { ByteSource } from './byte-source.ts'
import { readFlacInfo } from './flac-info.ts'
import { readMp3Info, steadyBitRate } from './mp3-info.ts'
import { lastGranule, readOggInfo } from './ogg-info.ts'
import { sniff } from './sniff.ts'
import { afterTags } from './tags.ts'
import { readWavInfo } from './wav-info.ts'

/** Enough to tell the kinds that begin with their name; what is none of them may be MP3. */
const MAGIC = 512

/**
 * Whole milliseconds, by what the file begins with rather than by what it is called; undefined when
 * its headers do not say. Reads little of a long file.
 */
export async function readDuration(source: ByteSource): Promise<number | undefined> {
  const start = await afterTags(source)
  const seconds = await secondsOf(source, start)
  const isKnown = seconds !== undefined && Number.isFinite(seconds) && seconds > 0
  return isKnown ? Math.round(seconds * 1000) : undefined
}

async function secondsOf(source: ByteSource, start: number): Promise<number | undefined> {
  switch (sniff(await source.read(start, MAGIC))) {
    case 'flac': {
      const flac = await readFlacInfo(source, start)
      return flac && flac.frames / flac.rate
    }
    case 'vorbis':
    case 'opus':
      return oggSeconds(source, start)
    case 'wav': {
      const wav = await readWavInfo(source, start)
      return wav && wav.length / wav.bytesPerSecond
    }
    case 'mp3':
    case undefined:
      return mp3Seconds(source, start)
    default:
      return undefined
  }
}

async function oggSeconds(source: ByteSource, start: number): Promise<number | undefined> {
  const ogg = await readOggInfo(source, start)
  if (!ogg) return undefined
  const granule = await lastGranule(source, start, ogg.firstPage.serial)
  return granule === undefined ? undefined : (granule - ogg.lead) / ogg.rate
}

// Without a count the bit rate must hold throughout. A variable one shows in the middle, and then no
// duration is better than a wrong one.
async function mp3Seconds(source: ByteSource, start: number): Promise<number | undefined> {
  const mp3 = await readMp3Info(source, start)
  if (!mp3) return undefined
  const { header, count, delay, padding } = mp3
  if (count !== undefined) return (count * header.samples - delay - padding) / header.rate
  return (await steadyBitRate(source, mp3))
    ? (mp3.end - mp3.start) / (header.kbps * 125)
    : undefined
}
