import { readDuration } from '@manara/audio-headers/read-duration'
import type { Card, FileStamp } from '../../ports/card.ts'

/** Milliseconds by what the file's headers say; undefined when they do not say or it is not there. */
export type DurationOf = (absolutePath: string) => Promise<number | undefined>

/** Outlives the process. An entry counts only while size and time are those it was stored with. */
export type DurationCache = {
  get(file: FileStamp): number | undefined
  set(file: FileStamp, duration_ms: number): void
}

const nothingStored: DurationCache = { get: () => undefined, set: () => {} }

/** The last `capacity` files asked for stay in memory, those without a duration as well. */
export function createDurationOf({
  card,
  cache = nothingStored,
  capacity = 4_096,
}: {
  card: Pick<Card, 'fileStamp' | 'openFile'>
  cache?: DurationCache
  capacity?: number
}): DurationOf {
  const remembered = new Map<string, { file: FileStamp; duration: Promise<number | undefined> }>()

  return async (absolutePath) => {
    const file = await card.fileStamp(absolutePath).catch(() => undefined)
    if (!file) return undefined
    const last = remembered.get(absolutePath)
    const duration = last && isSame(last.file, file) ? last.duration : lookUp(file)
    // Taken out and put back: a Map keeps insertion order, so the first is the longest unused.
    remembered.delete(absolutePath)
    remembered.set(absolutePath, { file, duration })
    for (const [oldest] of remembered) {
      if (remembered.size <= capacity) break
      remembered.delete(oldest)
    }
    return duration
  }

  async function lookUp(file: FileStamp): Promise<number | undefined> {
    const stored = cache.get(file)
    if (stored !== undefined) return stored
    const duration = await readFile(file)
    if (duration !== undefined) cache.set(file, duration)
    return duration
  }

  async function readFile({ path, size }: FileStamp): Promise<number | undefined> {
    try {
      const handle = await card.openFile(path)
      try {
        return await readDuration({ size, read: handle.read })
      } finally {
        await handle.close()
      }
    } catch {
      // Gone or unreadable in between: playing it will tell why, and the next question reads again.
      remembered.delete(path)
      return undefined
    }
  }
}

const isSame = (a: FileStamp, b: FileStamp) => a.size === b.size && a.mtime_ms === b.mtime_ms
