import { lastGranule, type OggInfo, oggPageAt, readOggInfo } from '@manara/audio-headers/ogg-info'
import {
  findOggPage,
  LARGEST_PAGE,
  readOggPage,
  withoutContinued,
} from '@manara/audio-headers/ogg-page'
import type { ByteReader } from './byte-reader.ts'
import type { OggCodec } from './ogg-codec.ts'

export type OggFile = OggInfo & {
  /** Where the first page is, and where the headers end and sound starts. */
  head: number
  start: number
  /** 0 when the file does not say. */
  lastGranule: number
}

type Place = { byte: number; granule: number }

const NONE: Place = { byte: -1, granule: -1 }

export async function readOggFile(bytes: ByteReader, head: number): Promise<OggFile> {
  const info = await readOggInfo(bytes, head)
  if (!info) throw new Error('the Ogg file is damaged at its start')
  const { serial } = info.firstPage
  let start = head
  for (;;) {
    const page = await oggPageAt(bytes, start)
    if (!page) throw new Error('the Ogg file has no sound in it')
    if (page.granule > 0 && page.serial === serial) break
    start += page.bytes.length
  }
  return { ...info, head, start, lastGranule: (await lastGranule(bytes, head, serial)) ?? 0 }
}

/**
 * A page to start decoding at so that what follows `granule` comes out, or undefined when that is
 * the beginning. Never the last page: its granule says where to cut, not where its sound ends.
 */
export async function entryPage(bytes: ByteReader, file: OggFile, granule: number) {
  let place = await pageBefore(bytes, file, granule)
  let page = await oggPageAt(bytes, place.byte)
  if (!page || page.last) {
    place = await pageBefore(bytes, file, place.granule - 1)
    page = await oggPageAt(bytes, place.byte)
  }
  if (!page || place.granule === 0) return undefined
  return { page: withoutContinued(page), after: place.byte + page.bytes.length }
}

/** The end of the last page whose sound is over before `granule`, by halving the file. */
async function pageBefore(bytes: ByteReader, file: OggFile, granule: number) {
  let low: Place = { byte: file.start, granule: 0 }
  let high = bytes.size
  while (high - low.byte > LARGEST_PAGE / 4) {
    const middle = low.byte + Math.floor((high - low.byte) / 2)
    const found = await firstPageEnd(bytes, file, middle)
    if (found === NONE || found.granule > granule) high = middle
    else low = found
  }
  for (;;) {
    const page = await oggPageAt(bytes, low.byte)
    const ours = page?.serial === file.firstPage.serial
    if (!page || (ours && page.granule > granule)) return low
    const byte = low.byte + page.bytes.length
    low = { byte, granule: ours && page.granule >= 0 ? page.granule : low.granule }
  }
}

async function firstPageEnd(bytes: ByteReader, file: OggFile, from: number): Promise<Place> {
  const block = await bytes.read(from, 2 * LARGEST_PAGE)
  for (let at = findOggPage(block, 0); at >= 0; at = findOggPage(block, at + 1)) {
    const page = readOggPage(block, at)
    if (page?.serial === file.firstPage.serial && page.granule >= 0)
      return { byte: from + at + page.bytes.length, granule: page.granule }
  }
  return NONE
}

/** A codec knows nothing before it has seen the headers. */
export async function feedHeaders(bytes: ByteReader, file: OggFile, codec: OggCodec) {
  for (let at = file.head; at < file.start; ) {
    const page = await oggPageAt(bytes, at)
    if (!page) break
    await codec.decodePage(page)
    at += page.bytes.length
  }
}
