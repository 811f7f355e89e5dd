import { sniff } from '@manara/audio-headers/sniff'
import { id3Length } from '@manara/audio-headers/tags'
import { isFinal, refused } from '../stream/guarded-get.ts'
import { fetchStream, type StreamPiece, type StreamTimings } from '../stream-fetch.ts'
import { type Decodable, decodableKind, NO_HLS, NO_STREAM_OF_KIND } from './decodable-kind.ts'
import type { Codec, Pcm } from './pcm.ts'

export type Live = {
  /** The next piece of sound; waits through reconnections. Throws when there can be no more. */
  next(): Promise<Pcm>
  /** Ends the connection, and with it a `next` that waits for it. */
  abort(): void
  close(): void
}

export type LiveOptions = {
  timings?: Partial<StreamTimings>
  onTitle(title: string): void
  /** Whether it waits for more than what has come. */
  isStarving(): boolean
}

/** Enough to be sure of a kind at any bit rate. */
const SNIFF_BYTES = 8 * 1024

const codecs: Partial<Record<Decodable, () => Promise<Codec>>> = {
  mp3: async () => (await import('./decoders/mp3.ts')).createMp3Codec(),
  flac: async () => (await import('./decoders/flac.ts')).createFlacCodec(),
  vorbis: async () => (await import('./decoders/vorbis.ts')).createVorbisCodec(),
  opus: async () => (await import('./decoders/opus.ts')).createOpusCodec(),
}

export function openLive(url: string, { timings, onTitle, isStarving }: LiveOptions): Live {
  const ending = new AbortController()
  let isHeard = false
  const stream = fetchStream(url, {
    signal: ending.signal,
    isHeard: () => isHeard,
    isStarving,
    ...(timings && { timings }),
  })
  let codec: Codec | undefined
  let head = Buffer.alloc(0)
  let isMpeg = false

  /** Every connection starts anew: a server may come back with something else. */
  function reset(contentType: string) {
    codec?.free()
    codec = undefined
    head = Buffer.alloc(0)
    isHeard = false
    isMpeg = /^audio\/(mpeg|mp3)/i.test(contentType)
  }

  async function decode(bytes: Uint8Array): Promise<Pcm | undefined> {
    if (codec) return codec.decode(bytes)
    head = Buffer.concat([head, bytes])
    if (head.length < SNIFF_BYTES) return undefined
    const open = codecs[streamKind(head, isMpeg)]
    if (!open) throw new Error(NO_STREAM_OF_KIND)
    codec = await open()
    return codec.decode(head)
  }

  async function take(piece: StreamPiece): Promise<Pcm | undefined> {
    if (piece.type === 'open') reset(piece.contentType)
    if (piece.type === 'title') onTitle(piece.title)
    if (piece.type === 'hls') throw refused(NO_HLS)
    return piece.type === 'data' ? decode(piece.bytes) : undefined
  }

  return {
    async next() {
      let { value, done } = await stream.next()
      for (;;) {
        if (done || !value) throw new Error('the stream is over')
        try {
          const pcm = await take(value)
          if (pcm && pcm.frames > 0) {
            isHeard = true
            return pcm
          }
          ;({ value, done } = await stream.next())
        } catch (error) {
          if (ending.signal.aborted || isFinal(error))
            throw error
            // Another entry of the playlist may be sound, or this station later.
          ;({ value, done } = await stream.throw(error))
        }
      }
    },
    abort: () => ending.abort(),
    close() {
      codec?.free()
      codec = undefined
    },
  }
}

/** Wherever a listener joins, whole frames follow soon; only a tag may be longer than what was looked at. */
function streamKind(head: Uint8Array, isMpeg: boolean): Decodable {
  const tag = id3Length(head)
  return isMpeg && tag >= head.length ? 'mp3' : decodableKind(sniff(head.subarray(tag)))
}
