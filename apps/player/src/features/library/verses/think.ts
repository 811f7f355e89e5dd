import { askThread } from '@manara/kit/thread/start-thread'
import type { Card } from '../../../ports/card.ts'
import { LARGEST } from './read-timing.ts'
import type { VersesCalls } from './verses-worker.ts'

const WORKER = new URL('./verses-worker.ts', import.meta.url)

/** What is done in a thread that is gone afterwards, and its memory with it. */
export type Think = {
  find(...args: Parameters<VersesCalls['find']>): Promise<ReturnType<VersesCalls['find']>>
  readTiming: VersesCalls['readTiming']
}

export const thinkInThread: Think = {
  find: (...args) => askThread<VersesCalls, 'find'>(WORKER, 'find', args),
  readTiming: (...args) => askThread<VersesCalls, 'readTiming'>(WORKER, 'readTiming', args),
}

const MOST_READ = 16
const PIECE = 256 * 1024

/**
 * What the thread reads is then in memory. A dead card is met here, where it is not waited for without
 * an end: a thread that hangs on it could not be ended.
 */
async function bringIn(card: Pick<Card, 'openFile'>, file: string) {
  const handle = await card.openFile(file)
  try {
    let offset = 0
    while (offset <= LARGEST) {
      const { length } = await handle.read(offset, PIECE)
      if (length === 0) return
      offset += length
    }
  } finally {
    await handle.close()
  }
}

/** As `readTiming`, but a file that has not changed is read once; a refusal is remembered as well. */
export function rememberTimings({ readTiming }: Think, card: Pick<Card, 'fileStamp' | 'openFile'>) {
  const read = new Map<string, ReturnType<Think['readTiming']>>()

  return async (file: string, surah: number): ReturnType<Think['readTiming']> => {
    const stamp = await card.fileStamp(file)
    const key = JSON.stringify([surah, stamp])
    if (!read.has(key)) await bringIn(card, file)
    const known = read.get(key) ?? readTiming(file, surah)
    read.delete(key)
    read.set(key, known)
    for (const [oldest] of read) {
      if (read.size <= MOST_READ) break
      read.delete(oldest)
    }
    return known
  }
}
