import type { Query } from '@manara/log-query/ast'
import { normalise } from '@manara/log-query/normalise'
import { printQuery } from '@manara/log-query/print'
import type { InvestigationStep } from '@manara/soc-contract/investigation'
import type { LogStore, SearchAnswer, StoredLog, TimeRange } from '../../../../ports/log-store.ts'

type Asked = { step: string; query: Query; time: TimeRange }

/** Asks the logs, and keeps what was asked in words that an analyst can ask again. */
export type Plan = ReturnType<typeof createPlan>

const MOST_QUERIES = 40

export function createPlan(deps: {
  logs: Pick<LogStore, 'search' | 'scan' | 'topValues'>
  signal: AbortSignal
  now(): number
  tell(step: string, events: number): void
}) {
  const { logs, signal, now, tell } = deps
  const steps: InvestigationStep[] = []
  let events = 0

  function note({ step, query, time }: Asked, found: number, since: number) {
    steps.push({
      step,
      query: printQuery(normalise(query)),
      from: momentOf(time.from),
      to: momentOf(time.to),
      events: found,
      ms: Math.round(now() - since),
    })
    tell(step, events)
  }

  const mayAsk = () => steps.length < MOST_QUERIES

  return {
    steps,
    mayAsk,
    events: () => events,

    /** Something that was done without asking the logs. */
    note(step: string, found: number, since: number) {
      steps.push({
        step,
        query: null,
        from: null,
        to: null,
        events: found,
        ms: Math.round(now() - since),
      })
      tell(step, events)
    },

    async search(
      asked: Asked & { received?: TimeRange },
      how: { limit: number; countUpTo: number; order?: 'asc' | 'desc' },
    ): Promise<SearchAnswer> {
      const since = now()
      const { query, time, received } = asked
      const { order = 'desc', ...rest } = how
      const answer = await logs.search(
        { query, time, received, skip: 0, order, ...rest },
        { signal },
      )
      note(asked, answer.total ?? answer.logs.length, since)
      return answer
    },

    async hostsOf(asked: Asked, limit: number): Promise<string[]> {
      const since = now()
      const { query, time } = asked
      const found = new Set<string>()
      for (const field of ['Computer', 'host']) {
        const { values } = await logs.topValues({ query, time, field, limit }, { signal })
        for (const { value } of values) found.add(value)
        if (found.size > 0) break
      }
      note(asked, found.size, since)
      return [...found]
    },

    /** Oldest first, as far as `most` allows; whether that was all. */
    async scan(
      asked: Asked,
      most: number,
      take: (batch: StoredLog[]) => Promise<void>,
    ): Promise<boolean> {
      const since = now()
      const { query, time } = asked
      let read = 0
      let isWhole = true
      for await (const batch of logs.scan({ query, time }, { signal })) {
        const part = batch.slice(0, most - read)
        read += part.length
        events += part.length
        await take(part)
        tell(asked.step, events)
        isWhole = part.length === batch.length
        if (!isWhole) break
      }
      note(asked, read, since)
      return isWhole
    },
  }
}

const momentOf = (at: number | undefined) => (at === undefined ? null : new Date(at).toISOString())
