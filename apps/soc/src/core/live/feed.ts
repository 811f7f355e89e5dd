import type { Kysely } from 'kysely'
import type { Tables } from '../../db/tables.ts'

export type LiveEvent = { seq: number; event: string; data: object }

export type Feed = {
  /** Resolves once listening: every event numbered after that comes, each once and in order. */
  subscribe(listener: (event: LiveEvent) => void): Promise<() => void>
  /** Up to a page of events after `seq`, oldest first. */
  after(seq: number): Promise<LiveEvent[]>
  /** The numbers still kept: the oldest one that can be replayed, and the newest. */
  range(): Promise<{ oldest: number; newest: number }>
  /** Reads what is new and hands it out; true when there is more. */
  pass(): Promise<boolean>
}

const PAGE = 500

/** This process's view of the numbered events: read once, handed to every listener. */
export function createFeed(db: Kysely<Tables>): Feed {
  const listeners = new Set<(event: LiveEvent) => void>()
  let last: number | undefined

  async function after(seq: number): Promise<LiveEvent[]> {
    const rows = await db
      .selectFrom('outbox')
      .select(['seq', 'event', 'data'])
      .where('seq', '>', String(seq))
      .orderBy('seq')
      .limit(PAGE)
      .execute()
    return rows.map((row) => ({ seq: Number(row.seq), event: row.event, data: row.data }))
  }

  async function range() {
    const head = await db.selectFrom('outbox_head').select('seq').executeTakeFirstOrThrow()
    const first = await db
      .selectFrom('outbox')
      .select('seq')
      .where('seq', 'is not', null)
      .orderBy('seq')
      .limit(1)
      .executeTakeFirst()
    const newest = Number(head.seq)
    return { oldest: Number(first?.seq ?? newest + 1), newest }
  }

  return {
    async subscribe(listener) {
      function leave() {
        listeners.delete(listener)
        // Nobody listens: do not read on for nobody.
        if (listeners.size === 0) last = undefined
      }

      listeners.add(listener)
      try {
        const { newest } = await range()
        // Another listener may have begun meanwhile: what it waits for is not skipped.
        last ??= newest
      } catch (error) {
        leave()
        throw error
      }
      return leave
    },
    after,
    range,
    async pass() {
      if (listeners.size === 0 || last === undefined) return false
      const events = await after(last)
      const thrown: unknown[] = []
      for (const event of events) {
        if (listeners.size === 0) break
        last = event.seq
        for (const listener of [...listeners]) {
          try {
            listener(event)
          } catch (error) {
            thrown.push(error)
          }
        }
      }
      // Told when everybody was: one listener that fails costs no other an event.
      if (thrown.length > 0) throw new AggregateError(thrown, 'a listener failed at an event')
      return events.length === PAGE
    },
  }
}
