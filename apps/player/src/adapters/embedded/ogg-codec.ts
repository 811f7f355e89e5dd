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

/** Pages of a song from its first on; undefined once there was sound in it. */
type Head = { pages: Buffer[]; length: number } | undefined

/** Many times a picture in the comments. */
const LONGEST_HEAD = 32 * 1024 * 1024
/** Of so many pages in a row none could be decoded: nothing more is to be hoped for. */
const MOST_FAILURES = 10

/**
 * Hands whole pages to a decoder, one at a time. A new beginning in the middle (the next song of a
 * radio) gets a new decoder; pages of other kinds in the same file are passed over. Headers wait for
 * the first sound: Vorbis' decoder, asked for sound when it has had none, makes arrays for as many
 * channels as its memory happens to say. A page that is damaged may break the decoder: what follows
 * gets a new one, with the same headers.
 */
export function createOggCodec(kind: string, open: () => Promise<PageDecoder>): OggCodec {
  let decoder: PageDecoder | undefined
  let serial: number | undefined
  let head: Head
  let headers: NonNullable<Head> = { pages: [], length: 0 }
  let failures = 0
  let rest: Uint8Array = new Uint8Array()

  function begin(page: OggPage) {
    letGo()
    serial = page.serial
    head = { pages: [], length: 0 }
  }

  function letGo() {
    try {
      decoder?.free()
    } catch {
      // One that damage has broken cannot even be let go.
    }
    decoder = undefined
  }

  async function decodeBytes(bytes: Uint8Array): Promise<Pcm> {
    try {
      decoder ??= await open()
      const heard = await decoder.decode(bytes)
      failures = 0
      return heard
    } catch (error) {
      letGo()
      failures += 1
      if (failures >= MOST_FAILURES) throw error
      head = { ...headers, pages: [...headers.pages] }
      return silence
    }
  }

  async function decodePage(page: OggPage): Promise<Pcm> {
    if (page.first && packetText(page).startsWith(kind)) begin(page)
    if (page.serial !== serial) return silence
    // The parser gives a page out when it sees the first byte of the next, so that byte, always
    // an O, goes along with each page and is left out of the one that follows.
    const bytes = withoutLastMark(page)
    const isFirst = head?.length === 0
    const shifted = Buffer.concat([isFirst ? bytes : bytes.subarray(1), NEXT_PAGE])
    if (!head) return decodeBytes(shifted)
    head.pages.push(shifted)
    head.length += shifted.length
    if (head.length > LONGEST_HEAD) serial = head = undefined
    if (!head || page.granule <= 0) return silence
    const { pages } = head
    headers = { pages: pages.slice(0, -1), length: head.length - shifted.length }
    head = undefined
    return decodeBytes(Buffer.concat(pages))
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
    free: letGo,
  }
}

const NEXT_PAGE = Buffer.from('O')
