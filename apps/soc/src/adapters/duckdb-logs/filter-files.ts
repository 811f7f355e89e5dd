import { fstatSync, ftruncateSync, readSync, writeSync } from 'node:fs'
import { crc32 } from 'node:zlib'
import { createFilesBeside, readAt } from './files-beside.ts'
import { type BlockLayout, lanesFor, PAGE_BYTES, pageCount } from './filter-block.ts'
import type { FilterQuery } from './gram-filter.ts'
import type { Stamp } from './segment-notes.ts'

/** A block of filters in a file beside its partition. */
export type FilterBlock = {
  layout: BlockLayout
  /** Which segments, by lane. */
  stamps: Stamp[]
  /** Where its pages begin. */
  at: number
  checksums: Uint32Array
}

const SUFFIX = '.duckdb.filters'
/** Other marks need another version: a filter must never miss what is there. */
const HEADER = Buffer.from('MNRF\x01\0\0\0', 'latin1')
const BLOCK_HEADER = 8

/** The pages of one block, until the next is looked at: new ones for each were mostly garbage. */
const SPACE_PAGES = 64
const SPACE = new Uint8Array(SPACE_PAGES * PAGE_BYTES)

export type FilterFiles = ReturnType<typeof createFilterFiles>

/** Derived from what the partitions hold, so it is not synced: pages are checked when they are read. */
export function createFilterFiles(directory: string) {
  const files = createFilesBeside(directory, SUFFIX, HEADER)

  return {
    /** The blocks of a partition; a file that was torn is cut off there. */
    read(name: string): FilterBlock[] {
      if (!files.isThere(name)) return []
      const file = files.opened(name)
      const { size } = fstatSync(file)
      if (!readAt(file, 0, HEADER.length)?.equals(HEADER)) {
        files.remove(name)
        return []
      }
      const blocks: FilterBlock[] = []
      let at = HEADER.length
      while (at < size) {
        const block = readBlock(file, at)
        const end = block ? block.at + block.checksums.length * PAGE_BYTES : Infinity
        if (!block || end > size) break
        blocks.push(block)
        at = end
      }
      if (at < size) ftruncateSync(file, at)
      return blocks
    },
    /** Undefined when it could not be written, as on a full disk. */
    add(name: string, layout: BlockLayout, stamps: Stamp[], pages: Uint8Array) {
      const checksums = new Uint32Array(pageCount(layout))
      for (const page of checksums.keys()) checksums[page] = crc32(pageIn(pages, page))
      const head = Buffer.from(JSON.stringify({ layout, stamps }))
      const start = Buffer.concat([Buffer.alloc(BLOCK_HEADER), head, Buffer.from(checksums.buffer)])
      start.writeUInt32LE(head.length, 0)
      start.writeUInt32LE(crc32(start.subarray(BLOCK_HEADER)), 4)
      const file = files.opened(name)
      const { size } = fstatSync(file)
      try {
        writeAll(file, start, size)
        writeAll(file, pages, size + start.length)
      } catch {
        ftruncateSync(file, size)
        return undefined
      }
      return { layout, stamps, at: size + start.length, checksums } satisfies FilterBlock
    },
    /** Lanes that may hold it; undefined when a page is not what was written. */
    find(name: string, { layout, at, checksums }: FilterBlock, query: FilterQuery) {
      const file = files.opened(name)
      const pages = new Map<number, Uint8Array>()
      return lanesFor(layout, query, (page) => {
        const known = pages.get(page)
        if (known) return known
        const bytes = pageIn(SPACE, pages.size % SPACE_PAGES)
        // More than fit are rare: those before are then read again.
        if (pages.size === SPACE_PAGES) pages.clear()
        const length = readSync(file, bytes, 0, PAGE_BYTES, at + page * PAGE_BYTES)
        if (length !== PAGE_BYTES || crc32(bytes) !== checksums[page]) return undefined
        pages.set(page, bytes)
        return bytes
      })
    },
    remove: files.remove,
    removeOthers: files.removeOthers,
    close: files.closeAll,
  }
}

function readBlock(file: number, at: number): FilterBlock | undefined {
  const sizes = readAt(file, at, BLOCK_HEADER)
  const headLength = sizes?.readUInt32LE(0) ?? 0
  if (!sizes || at + BLOCK_HEADER + headLength > fstatSync(file).size) return undefined
  const head = readAt(file, at + BLOCK_HEADER, headLength)
  try {
    const { layout, stamps } = JSON.parse(String(head)) as Pick<FilterBlock, 'layout' | 'stamps'>
    const length = pageCount(layout) * 4
    const start = at + BLOCK_HEADER + headLength
    const bytes = readAt(file, start, length)
    if (!head || !bytes || crc32(bytes, crc32(head)) !== sizes.readUInt32LE(4)) return undefined
    return { layout, stamps, at: start + length, checksums: new Uint32Array(bytes.buffer) }
  } catch {
    return undefined
  }
}

const pageIn = (pages: Uint8Array, page: number) =>
  pages.subarray(page * PAGE_BYTES, (page + 1) * PAGE_BYTES)

function writeAll(file: number, bytes: Uint8Array, at: number) {
  for (let done = 0; done < bytes.length; ) {
    done += writeSync(file, bytes, done, bytes.length - done, at + done)
  }
}
