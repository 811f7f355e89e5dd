import type { LogCount, LogFilter } from '@manara/soc-contract/siem'
import type { Limits } from '../../../ports/log-store.ts'
import { selectionOf } from './domain/selection.ts'
import type { ReadableLogs } from './readable-logs.ts'

/** All of them, however long that takes within the time limit: a list does not wait for this. */
export async function countLogs(
  logs: ReadableLogs,
  { q, ...filter }: LogFilter,
  now: number,
  limits: Limits,
): Promise<LogCount> {
  const { total, isTotalExact, partial } = await logs.search(
    {
      ...selectionOf({ ...filter, query: q }, now),
      ...{ skip: 0, limit: 0, order: 'desc', countUpTo: Number.MAX_SAFE_INTEGER },
    },
    limits,
  )
  return { total: total ?? 0, is_total_exact: isTotalExact && partial === null, partial }
}
