import type { EventReader } from './event-reader.ts'
import type { Reading } from './part.ts'

/**
 * Several threads that read, as one. A request goes to the one that has the fewest, so that the second
 * starts when two requests are read at once. Messages of syslog all go to the first: they stay in the
 * order in which they came, for which a sender of requests waits for the answer.
 */
export function shareReadings(readers: [EventReader, ...EventReader[]]): EventReader {
  const open = new Map<EventReader, number>()
  const openOf = (reader: EventReader) => open.get(reader) ?? 0

  function readerFor({ format }: Reading): EventReader {
    const [first, ...others] = readers
    if (format.kind === 'syslog') return first
    return others.reduce((least, other) => (openOf(other) < openOf(least) ? other : least), first)
  }

  return {
    async warmUp(take) {
      await Promise.all(readers.map((reader) => reader.warmUp(take)))
    },
    async *read(reading) {
      const reader = readerFor(reading)
      open.set(reader, openOf(reader) + 1)
      try {
        yield* reader.read(reading)
      } finally {
        open.set(reader, openOf(reader) - 1)
      }
    },
    isReading: () => readers.some((reader) => reader.isReading()),
    hangs: () => readers.reduce((sum, reader) => sum + reader.hangs(), 0),
    setParsers(enabled) {
      for (const reader of readers) reader.setParsers(enabled)
    },
    setRules(shared) {
      for (const reader of readers) reader.setRules(shared)
    },
    async stop() {
      await Promise.all(readers.map((reader) => reader.stop()))
    },
  }
}
