import type { LogList } from '@manara/soc-contract/siem'
import { countByTime } from './count-by-time.ts'
import { readQuery, selectionOf } from './domain/selection.ts'
import { listLogs } from './list-logs.ts'
import { toLog } from './log-record.ts'
import { findLog } from './promote-log.ts'
import type { ReadLogs } from './readable-logs.ts'

type Question = {
  query: string
  source?: string | undefined
  host?: string | undefined
  from?: Date | undefined
  to?: Date | undefined
}

/** What the routes read, for callers that have no request: tools and the chat. */
export function createAskLogs(deps: { readLogs: ReadLogs; timeLimitMs: number; now(): number }) {
  const { readLogs, timeLimitMs, now } = deps
  return {
    searchLogs: (
      { query: q, ...page }: Question & { limit: number },
      signal: AbortSignal,
    ): Promise<LogList> =>
      readLogs(async (logs) => {
        readQuery(q, now(), 'query')
        const asked = { ...page, q, skip: 0, order: 'desc' } as const
        return listLogs(logs, asked, now(), { signal, timeLimitMs })
      }),
    topValues: (
      { field, limit, ...asked }: Question & { field: string; limit: number },
      signal: AbortSignal,
    ) =>
      readLogs(async (logs) => {
        const request = { ...selectionOf(asked, now(), 'query'), field, limit }
        const { values, partial } = await logs.topValues(request, { signal, timeLimitMs })
        return { field, items: values, partial }
      }),
    countByTime: (
      { query: q, ...asked }: Question & { bucket_s?: number | undefined },
      signal: AbortSignal,
    ) =>
      readLogs(async (logs) => {
        readQuery(q, now(), 'query')
        return countByTime(logs, { ...asked, q }, now(), { signal, timeLimitMs })
      }),
    readLog: (id: string) => readLogs(async (logs) => toLog(await findLog(logs, id))),
  }
}
