import {
  findOggPage,
  type OggPage,
  packetText,
  readOggPage,
  withoutLastMark,
} from '@manara/audio-headers/ogg-page'
import { type Codec, joinPcm, type Pcm, silence } from './pcm.ts'

export type PageDecoder = { decode(bytes: Uint8Array): Promise<Pcm>; free(): void }

export type OggCodec = Codec & { decodePage(page: OggPage): Promise<Pcm> }

/**
 * Hands whole pages to a decoder, one at a time. A new beginning in the middle (the next song of a
 * radio) gets a new decoder; pages of other kinds in the same file are passed over.
 */
export function createOggCodec(kind: string, open: () => Promise<PageDecoder>): OggCodec {
  let decoder: PageDecoder | undefined
  let serial: number | undefined
  let rest: Uint8Array = new Uint8Array()
  let fed = false

  async function decodePage(page: OggPage): Promise<Pcm> {
    if (page.first && packetText(page).startsWith(kind)) {
      decoder?.free()
      decoder = await open()
      serial = page.serial
      fed = false
    }
    if (!decoder || page.serial !== serial) return silence
    // The parser gives a page out when it sees the first byte of the next, so that byte, always
    // an O, goes along with each page and is left out of the one that follows.
    const bytes = withoutLastMark(page)
    const shifted = Buffer.concat([fed ? bytes.subarray(1) : bytes, NEXT_PAGE])
    fed = true
    return decoder.decode(shifted)
  }

  return {
    decodePage,
    async decode(bytes) {
      rest = rest.length > 0 ? Buffer.concat([rest, bytes]) : bytes
      const heard: Pcm[] = []
      for (let at = findOggPage(rest, 0); at >= 0; at = findOggPage(rest, 0)) {
        const page = readOggPage(rest, at)
        if (!page) {
          rest = rest.subarray(at)
          break
        }
        rest = rest.subarray(at + page.bytes.length)
        heard.push(await decodePage(page))
      }
      return joinPcm(heard)
    },
    flush: async () => silence,
    free: () => decoder?.free(),
  }
}

const NEXT_PAGE = Buffer.from('O')
