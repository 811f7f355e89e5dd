import { type ByteReader, openBytes } from './byte-reader.ts'
import { afterId3 } from './id3.ts'
import type { Entry, Format, Pcm } from './pcm.ts'
import { type Kind, sniff } from './sniff.ts'

/** A file being decoded from some frame on. */
export type Track = {
  rate: number
  frames: number
  /** The next piece of sound, or undefined at the end. Throws when the file cannot be read any more. */
  next(): Promise<Pcm | undefined>
  seek(frame: number): Promise<void>
  close(): Promise<void>
}

// A decoder is 1 to 3 MB of memory, so only those that are needed are loaded.
const formats: Record<Kind, (bytes: ByteReader) => Promise<Format>> = {
  mp3: async (bytes) => (await import('./decoders/mp3.ts')).openMp3(bytes),
  wav: async (bytes) => (await import('./decoders/wav.ts')).openWav(bytes),
  flac: async (bytes) => (await import('./decoders/flac.ts')).openFlac(bytes),
  vorbis: async (bytes) => (await import('./decoders/vorbis.ts')).openVorbis(bytes),
  opus: async (bytes) => (await import('./decoders/opus.ts')).openOpus(bytes),
}

export async function openTrack(path: string): Promise<Track> {
  const bytes = await openBytes(path)
  try {
    const head = await bytes.read(await afterId3(bytes), 64 * 1024)
    return createTrack(bytes, await formats[sniff(head)](bytes))
  } catch (error) {
    await bytes.close()
    throw error
  }
}

function createTrack(bytes: ByteReader, format: Format): Track {
  let entry: Entry | undefined
  let left = Number.POSITIVE_INFINITY
  let flushed = false

  async function seek(frame: number) {
    entry?.codec.free()
    entry = undefined
    entry = await format.enter(frame)
    left = format.frames > 0 && !entry.estimated ? format.frames - frame : Number.POSITIVE_INFINITY
    flushed = false
  }

  async function decodeMore(from: Entry): Promise<Pcm | undefined> {
    if (from.head) {
      const { head } = from
      delete from.head
      return head
    }
    const chunk = await bytes.read(from.byte, format.chunk)
    from.byte += chunk.length
    if (chunk.length > 0) return from.codec.decode(chunk)
    if (flushed) return undefined
    flushed = true
    return from.codec.flush()
  }

  async function next(): Promise<Pcm | undefined> {
    while (left > 0) {
      if (!entry) return undefined
      const pcm = await decodeMore(entry)
      if (!pcm) return undefined
      const dropped = Math.min(entry.skip, pcm.frames)
      entry.skip -= dropped
      const frames = Math.min(pcm.frames - dropped, left)
      left -= frames
      if (frames > 0) return slice(pcm, dropped, frames)
    }
    return undefined
  }

  return {
    rate: format.rate,
    frames: format.frames,
    next,
    seek,
    async close() {
      entry?.codec.free()
      entry = undefined
      await bytes.close()
    },
  }
}

const slice = (pcm: Pcm, from: number, frames: number): Pcm => ({
  ...pcm,
  channels: pcm.channels.map((samples) => samples.subarray(from, from + frames)),
  frames,
})
