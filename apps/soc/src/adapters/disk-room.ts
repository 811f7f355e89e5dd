import { statfsSync } from 'node:fs'
import type { DiskRoom } from '../ports/disk-room.ts'

/** Below this the log store takes no more, and the database is about to. */
const RESERVE = 256 * 2 ** 20

/** The room on the disk that holds a directory; nothing when the system does not say. */
export function createDiskRoom(directory: string, reserve = RESERVE): DiskRoom {
  return () => {
    try {
      const { bavail, bsize } = statfsSync(directory)
      const free = bavail * bsize
      return { free, isFull: free < reserve }
    } catch {
      return undefined
    }
  }
}
