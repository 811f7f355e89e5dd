import type { Limits, LogStore } from '../../../ports/log-store.ts'
import type { ReadLogs } from './agent-work.ts'
import type { Budget } from './domain/budget.ts'

const QUERY_MS = 20_000

/** The logs as a run may read them: each query and each event counts, and ends with the run. */
export function budgetedLogs(logs: LogStore, budget: Budget, signal: AbortSignal): ReadLogs {
  const within = (limits: Limits = {}): Limits => ({ timeLimitMs: QUERY_MS, ...limits, signal })
  return {
    async search(request, limits) {
      budget.query()
      const answer = await logs.search(request, within(limits))
      budget.events(answer.logs.length)
      return answer
    },
    async topValues(request, limits) {
      budget.query()
      return logs.topValues(request, within(limits))
    },
    async byId(id) {
      budget.query()
      return logs.byId(id)
    },
    async *scan(selection, limits) {
      budget.query()
      for await (const batch of logs.scan(selection, within(limits))) {
        yield batch
        budget.events(batch.length)
      }
    },
  }
}
