import type { Budget } from './budget.ts'
import type { Counters } from './counters.ts'
import type { EventReader, Refused } from './read/event-reader.ts'
import type { Part, Reading } from './read/part.ts'
import type { Senders } from './senders.ts'

export type ReadParts = ReturnType<typeof createReadParts>

/** Reads what a sender sent and counts it; one whose events take too long is slowed down. */
export function createReadParts(deps: {
  reader: EventReader
  counters: Counters
  senders: Senders
  now(): number
}) {
  const { reader, counters, senders } = deps

  return async function* readParts(
    reading: Omit<Reading, 'receivedAt' | 'areUnread'>,
    { sender, budget }: { sender: { id: string; name: string }; budget: Budget },
  ): AsyncGenerator<Part | Refused> {
    const { way } = reading
    const areUnread = senders.isSlowed(way, sender.name)
    for await (const part of reader.read({ ...reading, receivedAt: deps.now(), areUnread })) {
      if (!('refusal' in part)) {
        const { size, rejections, unread, work, hangs } = part
        counters.unread(way, unread)
        for (const { isTooLarge } of rejections) {
          counters.refused(way, isTooLarge ? 'too_large' : 'invalid')
        }
        senders.note(way, sender.name, {
          ...{ events: size, unread, refused: rejections.length },
        })
        if (hangs > 0) senders.slow(way, sender.name)
        budget.spend(sender.id, work)
      }
      yield part
    }
  }
}
