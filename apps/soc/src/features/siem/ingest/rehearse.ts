import type { LogStore } from '../../../ports/log-store.ts'
import { createCounters } from './counters.ts'
import { createPipeline } from './pipeline.ts'
import type { EventReader } from './read/event-reader.ts'

/**
 * Events of a sample go the way of real ones before those come, as far as their store lets them:
 * nobody counts them, hears of them or finds them, and nothing of them is kept.
 */
export async function rehearse(deps: {
  reader: EventReader
  logs: Pick<LogStore, 'rehearse' | 'unpack'>
}): Promise<void> {
  const { reader, logs } = deps
  const rehearsal = logs.rehearse?.()
  if (!rehearsal) return reader.warmUp()
  const pipeline = createPipeline({
    logs: {
      appendPacked: rehearsal.append,
      ...(logs.unpack ? { unpack: logs.unpack } : {}),
      append: () => Promise.reject(new Error('many events are packed where they are read')),
    },
    ...{ counters: createCounters(), listeners: { tell() {} }, log: SILENT },
    isMoreComing: reader.isReading,
  })
  try {
    await reader.warmUp((part) => pipeline.storePart('api', part).catch(() => {}))
  } finally {
    await pipeline.stop()
    await rehearsal.end()
  }
}

/** Nothing is lost with what fails here. */
const SILENT = { error() {}, warn() {} }
