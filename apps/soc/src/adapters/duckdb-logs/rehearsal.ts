import { rmSync } from 'node:fs'
import path from 'node:path'
import { unavailable } from '@manara/kit/errors'
import type { DuckdbPacked } from './packed-logs.ts'
import { closeStore, openStore, type StoreSettings } from './store.ts'
import { appendParts, createWriter } from './writer.ts'

/** It holds few events, and not for long. */
const MEMORY_MB = 64
/** What is thrown away need not be compressed before. */
const NONE = { events: Number.POSITIVE_INFINITY, leastLogBytes: Number.POSITIVE_INFINITY }

/**
 * Stores events as the store does, in a folder that is gone with `end`; what a process left that was
 * killed is removed by the next.
 */
export function createRehearsal(settings: StoreSettings, signal: AbortSignal) {
  const directory = path.join(settings.directory, 'rehearsal')
  const own = { ...settings, directory, memoryMb: MEMORY_MB, checkpoints: NONE }
  let stage: ReturnType<typeof open> | undefined

  async function open() {
    remove()
    const store = await openStore(own, () => {})
    const writer = await createWriter(
      store,
      own,
      () => {},
      async () => {},
    )
    return { store, writer }
  }

  const remove = () => rmSync(directory, { recursive: true, force: true })

  return {
    append: (parts: DuckdbPacked[]) =>
      apart(async () => {
        signal.throwIfAborted()
        stage ??= open()
        return appendParts((await stage).writer, parts)
      }),
    end: () =>
      apart(async () => {
        const ending = stage
        stage = undefined
        try {
          const opened = await ending
          await opened?.writer.close()
          if (opened) closeStore(opened.store)
        } finally {
          if (ending) remove()
        }
      }),
  }
}

/** What breaks the engine here says nothing of the one that has the events. */
async function apart<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (error) {
    throw unavailable('the rehearsal failed', error)
  }
}
