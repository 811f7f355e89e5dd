import { kindOf } from '@manara/audio-headers/kind-of'
import { afterTags } from '@manara/audio-headers/tags'
import { type ByteReader, openBytes } from './byte-reader.ts'
import { type Decodable, decodableKind } from './decodable-kind.ts'
import type { Entry, Format, Pcm } from './pcm.ts'

/** A file being decoded from some frame on. */
export type Track = {
  rate: number
  frames: number
  /** The next piece of sound, or undefined at the end. Throws when the file cannot be read any more. */
  next(): Promise<Pcm | undefined>
  /** `exact`: also where that takes reading the file up to there. */
  seek(frame: number, exact?: boolean): Promise<void>
  close(): Promise<void>
}

// A decoder is 1 to 3 MB of memory, so only those that are needed are loaded.
const formats: Record<Decodable, (bytes: ByteReader, start: number) => Promise<Format>> = {
  mp3: async (...file) => (await import('./decoders/mp3.ts')).openMp3(...file),
  wav: async (...file) => (await import('./decoders/wav.ts')).openWav(...file),
  flac: async (...file) => (await import('./decoders/flac.ts')).openFlac(...file),
  vorbis: async (...file) => (await import('./decoders/vorbis.ts')).openVorbis(...file),
  opus: async (...file) => (await import('./decoders/opus.ts')).openOpus(...file),
}

export async function openTrack(path: string): Promise<Track> {
  const bytes = await openBytes(path)
  try {
    const start = await afterTags(bytes)
    const kind = decodableKind(await kindOf(bytes, start))
    return createTrack(bytes, await formats[kind](bytes, start))
  } catch (error) {
    await bytes.close()
    throw error
  }
}

function createTrack(bytes: ByteReader, format: Format): Track {
  let entry: Entry | undefined
  let left = Number.POSITIVE_INFINITY
  let flushed = false

  async function seek(frame: number, exact?: boolean) {
    entry?.codec.free()
    entry = undefined
    entry = await format.enter(frame, exact)
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
