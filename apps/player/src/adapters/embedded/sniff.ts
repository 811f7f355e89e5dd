import { findMp3Frame } from './mp3-header.ts'

export type Kind = 'mp3' | 'wav' | 'flac' | 'vorbis' | 'opus'

/** What the bytes are, whatever the file is called. Throws with a reason that can be shown. */
export function sniff(head: Uint8Array): Kind {
  const text = (from: number, length: number) =>
    String.fromCharCode(...head.subarray(from, from + length))
  if (text(0, 4) === 'fLaC') return 'flac'
  if (text(0, 4) === 'RIFF' && text(8, 4) === 'WAVE') return 'wav'
  if (text(0, 4) === 'OggS') return sniffOgg(head)
  if (text(4, 4) === 'ftyp') throw new Error('MP4 and AAC are not supported by the embedded engine')
  if (isAdts(head)) throw new Error('AAC is not supported by the embedded engine')
  if (text(0, 7) === '#EXTM3U') throw new Error('a playlist is not sound')
  if (findMp3Frame(head) >= 0) return 'mp3'
  throw new Error('not a sound file of a known kind')
}

/** The first packet of the first page names the codec. */
function sniffOgg(head: Uint8Array): Kind {
  const segments = head[26] ?? 0
  const packet = String.fromCharCode(...head.subarray(27 + segments, 27 + segments + 8))
  if (packet === 'OpusHead') return 'opus'
  if (packet.startsWith('\u0001vorbis')) return 'vorbis'
  throw new Error('this kind of Ogg file is not supported by the embedded engine')
}

/** ADTS has MP3's sync bits with layer 0, which no MPEG audio frame uses. */
function isAdts(head: Uint8Array): boolean {
  return head[0] === 0xff && ((head[1] ?? 0) & 0xf6) === 0xf0
}
