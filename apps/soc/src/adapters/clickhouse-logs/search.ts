import { unavailable } from '@manara/kit/errors'
import type {
  Incomplete,
  Limits,
  LogSelection,
  LogStore,
  SearchRequest,
  StoredLog,
} from '../../ports/log-store.ts'
import { moment, selectionCondition } from './binding.ts'
import type { Cluster } from './cluster.ts'
import { STORED, toLog } from './rows.ts'

const FIRST_SLICE_MS = 3_600_000
const SCAN_BATCH = 5_000

/**
 * From the end that was asked for, a slice of time at a time and each twice as long as the one
 * before: a page of a busy day never sorts a year, and what a time limit leaves is right.
 */
export async function search(
  cluster: Cluster,
  request: SearchRequest,
  limits: Limits = {},
): ReturnType<LogStore['search']> {
  const deadline = deadlineOf(limits)
  const counting = count(cluster, request, limits)
  // Heard below; until then its failure is not unheard of.
  counting.catch(() => {})
  const found: StoredLog[] = []
  let partial: Incomplete = null
  for await (const slice of slices(cluster, request, limits)) {
    const wanted = request.skip + request.limit - found.length
    if (wanted <= 0) break
    if (deadline.isOver()) {
      partial = deadline.partial
      break
    }
    const answer = await page(cluster, { ...request, time: slice.time }, wanted, limits)
    found.push(...answer.logs)
    partial = answer.partial ?? slice.partial ?? partial
  }
  const total = await counting
  return {
    logs: found.slice(request.skip, request.skip + request.limit),
    total: total.amount,
    isTotalExact: total.isExact,
    partial: partial ?? total.partial,
  }
}

async function page(
  cluster: Cluster,
  request: SearchRequest,
  limit: number,
  { signal }: Limits,
): Promise<{ logs: StoredLog[]; partial: Incomplete }> {
  const { order, after } = request
  const { rows, partial } = await cluster.select((server) => {
    const binding = server.newBinding()
    const conditions = [selectionCondition(request, binding.bind)]
    if (after) conditions.push(behind(after, order, binding.bind))
    return {
      statement: `SELECT ${STORED} FROM ${cluster.table} WHERE ${conditions.join(' AND ')}
        ORDER BY at ${order}, id ${order} LIMIT ${limit}`,
      options: { binding, signal },
    }
  })
  return { logs: rows.map(toLog), partial }
}

function behind(
  { at, id }: { at: number; id: string },
  order: 'asc' | 'desc',
  bind: (value: string) => string,
): string {
  const sign = order === 'asc' ? '>' : '<'
  return `at ${sign}= ${moment(at)} AND (at ${sign} ${moment(at)} OR id ${sign} ${bind(id)})`
}

type Slice = { time: { from: number; to: number }; partial: Incomplete }

/** Of the time that was asked for and in which there is anything, in the order of the request. */
async function* slices(
  cluster: Cluster,
  { time, received, order, after }: SearchRequest,
  { signal }: Limits,
): AsyncGenerator<Slice> {
  const everything: LogSelection = { query: { kind: 'all' }, time, received }
  const { rows, partial } = await cluster.select<{ amount: string; first: string; last: string }>(
    () => ({
      statement: `SELECT count() AS amount, min(at) AS first, max(at) AS last FROM ${cluster.table}
        WHERE ${selectionCondition(everything, String)}`,
      options: { signal },
    }),
  )
  const [row] = rows
  if (!row || Number(row.amount) === 0) {
    // An empty slice still tells that a shard was missing.
    if (partial) yield { time: { from: 0, to: 0 }, partial }
    return
  }
  let from = Number(row.first)
  let to = Number(row.last) + 1
  if (after && order === 'asc') from = Math.max(from, after.at)
  if (after && order === 'desc') to = Math.min(to, after.at + 1)
  for (let length = FIRST_SLICE_MS; from < to; length *= 2) {
    const time =
      order === 'desc'
        ? { from: Math.max(from, to - length), to }
        : { from, to: Math.min(to, from + length) }
    yield { time, partial }
    if (order === 'desc') to = time.from
    else from = time.to
  }
}

async function count(cluster: Cluster, request: SearchRequest, limits: Limits) {
  if (request.countUpTo === 0) return { amount: null, isExact: false, partial: null }
  // It counts a hundred times as many in the time that others count these.
  const most = request.countUpTo * (request.countEvents === undefined ? 1 : 100)
  const deadline = deadlineOf(limits)
  if (deadline.isOver()) return { amount: 0, isExact: false, partial: deadline.partial }
  const { rows, partial } = await cluster.select<{ amount: string }>((server) => {
    const binding = server.newBinding()
    return {
      statement: `SELECT count() AS amount FROM (SELECT at FROM ${cluster.table}
        WHERE ${selectionCondition(request, binding.bind)} LIMIT ${most})`,
      options: { binding, signal: limits.signal, stopAfterMs: limits.timeLimitMs },
    }
  })
  const amount = Number(rows[0]?.amount)
  const stopped = deadline.isOver() ? deadline.partial : null
  return { amount, isExact: amount < most && !stopped, partial: partial ?? stopped }
}

export function deadlineOf({ timeLimitMs }: Limits) {
  const end = timeLimitMs === undefined ? Infinity : performance.now() + timeLimitMs
  return {
    isOver: () => performance.now() >= end,
    partial: {
      reason: 'time_limit' as const,
      detail: `stopped after ${(timeLimitMs ?? 0) / 1_000} s: ask for less time, or for more selective words`,
    },
  }
}

/**
 * Page by page behind the last event, so that memory stays small whatever is read. All or an error:
 * who scans for rules must not take a missing shard for silence.
 */
export async function* scan(
  cluster: Cluster,
  selection: LogSelection,
  limits: Limits = {},
): AsyncGenerator<StoredLog[]> {
  const request: SearchRequest = {
    ...selection,
    skip: 0,
    limit: SCAN_BATCH,
    order: 'asc',
    countUpTo: 0,
  }
  for await (const slice of slices(cluster, request, limits)) {
    let after: SearchRequest['after']
    while (true) {
      limits.signal?.throwIfAborted()
      const { logs, partial } = await page(
        cluster,
        { ...request, time: slice.time, after },
        SCAN_BATCH,
        limits,
      )
      const missing = slice.partial ?? partial
      if (missing) throw unavailable(missing.detail)
      if (logs.length > 0) yield logs
      const last = logs.at(-1)
      if (!last || logs.length < SCAN_BATCH) break
      after = { at: last.at, id: last.id }
    }
  }
}
