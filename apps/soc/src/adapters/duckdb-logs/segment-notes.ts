import { fstatSync, ftruncateSync, writeSync } from 'node:fs'
import { crc32 } from 'node:zlib'
import { createFilesBeside, readAt } from './files-beside.ts'

/** Which segment a note is about; any other with its number has other times or another count. */
export type Stamp = {
  seg: number
  events: number
  minAt: number
  maxAt: number
  minReceived: number
  maxReceived: number
  /** How often its events were written anew: what was noted before is then about others. */
  rewrites?: number
}

const FILE_HEADER = 8
const STAMP_BYTES = 6 * 8
/** The stamp, how long the note is, and the checksum of all that. */
const RECORD_HEADER = STAMP_BYTES + 8

export type SegmentNotes = ReturnType<typeof createSegmentNotes>

/**
 * What is known about full segments, in a file beside each partition to which it is added: it saves
 * reading the events again. All of it can be made anew from the events, so it is not synced; what
 * is torn, of another version or about other events counts as not there.
 */
export function createSegmentNotes(directory: string, kind: string, version: number) {
  const header = Buffer.alloc(FILE_HEADER)
  header.write('MNRN', 'latin1')
  header.writeUInt32LE(version, 4)
  const files = createFilesBeside(directory, `.duckdb.${kind}`, header)

  return {
    /** The notes of a partition in order; a bad one ends it, and is cut off with all behind it. */
    *read(name: string): Generator<{ stamp: Stamp; note: Buffer }> {
      if (!files.isThere(name)) return
      const file = files.opened(name)
      const { size } = fstatSync(file)
      const start = readAt(file, 0, FILE_HEADER)
      let at = start?.equals(header) ? FILE_HEADER : 0
      while (at > 0 && at < size) {
        const head = readAt(file, at, RECORD_HEADER)
        const length = head?.readUInt32LE(STAMP_BYTES) ?? 0
        const note = at + RECORD_HEADER + length <= size && readAt(file, at + RECORD_HEADER, length)
        if (!head || !note || checksumOf(head, note) !== head.readUInt32LE(STAMP_BYTES + 4)) break
        yield { stamp: stampFrom(head), note }
        at += RECORD_HEADER + length
      }
      if (at === size) return
      ftruncateSync(file, at)
      if (at === 0) writeSync(file, header, 0, FILE_HEADER, 0)
    },
    /** A note that cannot be written is missed at the next start, and made anew. */
    add(name: string, stamp: Stamp, note: Uint8Array) {
      const head = Buffer.alloc(RECORD_HEADER)
      for (const [place, value] of stampValues(stamp).entries())
        head.writeDoubleLE(value, place * 8)
      head.writeUInt32LE(note.length, STAMP_BYTES)
      head.writeUInt32LE(checksumOf(head, note), STAMP_BYTES + 4)
      try {
        const file = files.opened(name)
        const { size } = fstatSync(file)
        const record = Buffer.concat([head, note])
        writeSync(file, record, 0, record.length, Math.max(size, FILE_HEADER))
      } catch {
        files.close(name)
      }
    },
    remove: files.remove,
    removeOthers: files.removeOthers,
    close: files.closeAll,
  }
}

const checksumOf = (head: Buffer, note: Uint8Array) =>
  crc32(note, crc32(head.subarray(0, STAMP_BYTES + 4)))

/** Both in one number, so that notes of before rewriting was possible stay as they are. */
const REWRITE = 2 ** 32

const stampValues = ({ seg, events, rewrites = 0, ...times }: Stamp) => [
  seg,
  events + rewrites * REWRITE,
  times.minAt,
  times.maxAt,
  times.minReceived,
  times.maxReceived,
]

function stampFrom(head: Buffer): Stamp {
  const [seg = 0, events = 0, minAt = 0, maxAt = 0, minReceived = 0, maxReceived = 0] = Array.from(
    { length: 6 },
    (_, place) => head.readDoubleLE(place * 8),
  )
  const times = { minAt, maxAt, minReceived, maxReceived }
  return { seg, events: events % REWRITE, rewrites: Math.floor(events / REWRITE), ...times }
}

export const isOf = (stamp: Stamp, segment: Stamp) =>
  stampValues(stamp).every((value, place) => value === stampValues(segment)[place])
