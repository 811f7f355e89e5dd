import { askThread } from '@manara/kit/thread/start-thread'
import type { Card } from '../../../ports/card.ts'
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

/** As `readTiming`, but a file that has not changed is read once; a refusal is remembered as well. */
export function rememberTimings({ readTiming }: Think, card: Pick<Card, 'fileStamp'>) {
  const read = new Map<string, ReturnType<Think['readTiming']>>()

  return async (file: string, surah: number): ReturnType<Think['readTiming']> => {
    const stamp = await card.fileStamp(file)
    const key = JSON.stringify([surah, stamp])
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
