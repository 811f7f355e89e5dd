import type { Kind } from '@manara/audio-headers/sniff'

export const NO_HLS = 'HLS is not supported by the embedded engine'
export const NO_STREAM_OF_KIND = 'this kind of stream is not supported by the embedded engine'

export type Decodable = Extract<Kind, 'mp3' | 'wav' | 'flac' | 'vorbis' | 'opus'>

const REFUSED: Record<Exclude<Kind, Decodable>, string> = {
  ogg: 'this kind of Ogg file is not supported by the embedded engine',
  mp4: 'MP4 and AAC are not supported by the embedded engine',
  aac: 'AAC is not supported by the embedded engine',
  playlist: 'a playlist is not sound',
}

/** Throws with a reason that can be shown. */
export function decodableKind(kind: Kind | undefined): Decodable {
  if (kind === undefined) throw new Error('not a sound file of a known kind')
  if (kind in REFUSED) throw new Error(REFUSED[kind as keyof typeof REFUSED])
  return kind as Decodable
}
