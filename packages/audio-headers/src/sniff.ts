import { findMp3Frame } from './mp3-header.ts'

/** What can be told from the first bytes; `ogg` is one with a codec that is not known here. */
export type Kind = 'mp3' | 'wav' | 'flac' | 'vorbis' | 'opus' | 'ogg' | 'mp4' | 'aac' | 'playlist'

/** What the bytes are, whatever the file is called; undefined when they are nothing known. */
export function sniff(head: Uint8Array): Kind | undefined {
  const text = (from: number, length: number) =>
    String.fromCharCode(...head.subarray(from, from + length))
  if (text(0, 4) === 'fLaC') return 'flac'
  if (text(0, 4) === 'RIFF' && text(8, 4) === 'WAVE') return 'wav'
  if (text(0, 4) === 'OggS') return sniffOgg(head)
  if (text(4, 4) === 'ftyp') return 'mp4'
  if (isAdts(head)) return 'aac'
  if (text(0, 7) === '#EXTM3U') return 'playlist'
  return findMp3Frame(head) >= 0 ? 'mp3' : undefined
}

/** The first packet of the first page names the codec. */
function sniffOgg(head: Uint8Array): Kind {
  const segments = head[26] ?? 0
  const packet = String.fromCharCode(...head.subarray(27 + segments, 27 + segments + 8))
  if (packet === 'OpusHead') return 'opus'
  return packet.startsWith('\u0001vorbis') ? 'vorbis' : 'ogg'
}

/** ADTS has MP3's sync bits with layer 0, which no MPEG audio frame uses. */
function isAdts(head: Uint8Array): boolean {
  return head[0] === 0xff && ((head[1] ?? 0) & 0xf6) === 0xf0
}
