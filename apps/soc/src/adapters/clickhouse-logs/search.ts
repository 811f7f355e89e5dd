import { unavailable } from '@manara/kit/errors'
import type {
  Incomplete,
  Limits,
  LogSelection,
  LogStore,
  SearchRequest,
  StoredLog,
} from '../../ports/log-store.ts'
import { asksOnlyForKeys } from '../key-questions.ts'
import { moment, selectionCondition } from './binding.ts'
import type { Cluster } from './cluster.ts'
import { boundsOf, countByKey, isCounted } from './count-keys.ts'
import { type Within, within } from './deadline.ts'
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
  const limit = within(limits)
  const { deadline } = limit
  const { bounds, partial: missing } = await boundsOf(cluster, request, limit).catch(
    (error: unknown) => ({ bounds: undefined, partial: deadline.missedBy(error) }),
  )
  const found: StoredLog[] = []
  let partial = missing
  let isAll = true
  for (const time of slices(bounds, request)) {
    const wanted = request.skip + request.limit - found.length
    isAll = wanted > 0 && !deadline.isOver()
    if (wanted > 0 && !isAll) partial ??= deadline.partial
    if (!isAll) break
    const answer = await page(cluster, { ...request, time }, wanted, limit).catch(
      (error: unknown) => {
        partial = deadline.missedBy(error)
      },
    )
    isAll = answer !== undefined
    if (!answer) break
    found.push(...answer.logs)
    partial = answer.partial ?? partial
    isAll = answer.logs.length < wanted
  }
  const isKnown = isAll && !request.after
  const total =
    isKnown || deadline.isOver()
      ? counted(found.length, request, isKnown ? partial : deadline.partial)
      : await count(cluster, request, bounds?.events ?? 0, limit)
  return {
    logs: found.slice(request.skip, request.skip + request.limit),
    total: total.amount,
    isTotalExact: total.isExact,
    partial: partial ?? total.partial,
  }
}

/** All were read, or no time is left: there is nothing to count. */
function counted(amount: number, request: SearchRequest, partial: Incomplete): Counted {
  if (request.countUpTo === 0) return { amount: null, isExact: false, partial: null }
  const most = mostOf(request)
  return { amount: Math.min(amount, most), isExact: amount < most && !partial, partial }
}

const mostOf = ({ countUpTo, countEvents }: SearchRequest) =>
  countEvents === undefined ? countUpTo : Number.POSITIVE_INFINITY

type Counted = { amount: number | null; isExact: boolean; partial: Incomplete }

async function page(
  cluster: Cluster,
  request: SearchRequest,
  limit: number,
  { signal, deadline }: Within,
): Promise<{ logs: StoredLog[]; partial: Incomplete }> {
  const { order, after } = request
  const { rows, partial } = await cluster.select((server) => {
    const binding = server.newBinding()
    const conditions = [selectionCondition(request, binding)]
    if (after) conditions.push(behind(after, order, binding.bind))
    return {
      statement: `SELECT ${STORED} FROM ${cluster.table} WHERE ${conditions.join(' AND ')}
        ORDER BY at ${order}, id ${order} LIMIT ${limit}`,
      options: { binding, signal, giveUpAfterMs: deadline?.leftMs() },
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

type Bounds = Awaited<ReturnType<typeof boundsOf>>['bounds']

/** Of the time in which there is anything, in the order of the request. */
function* slices(
  bounds: Bounds,
  { order, after }: Pick<SearchRequest, 'order' | 'after'>,
): Generator<{ from: number; to: number }> {
  if (!bounds) return
  let { from, to } = bounds
  if (after && order === 'asc') from = Math.max(from, after.at)
  if (after && order === 'desc') to = Math.min(to, after.at + 1)
  for (let length = FIRST_SLICE_MS; from < to; length *= 2) {
    const time =
      order === 'desc'
        ? { from: Math.max(from, to - length), to }
        : { from, to: Math.min(to, from + length) }
    yield time
    if (order === 'desc') to = time.from
    else from = time.to
  }
}

/** It reads a hundred times as many in the time that others read these. */
const QUICKER = 100

/**
 * Events never wait for their number: where a glance is asked for and there is more to read than one
 * takes, it counts what it reads until then.
 */
async function count(
  cluster: Cluster,
  request: SearchRequest,
  events: number,
  limit: Required<Within>,
): Promise<Counted> {
  const { countUpTo, countEvents } = request
  if (countUpTo === 0) return { amount: null, isExact: false, partial: null }
  if (asksOnlyForKeys(request.query) && isCounted(request, undefined)) {
    let amount = 0
    const partial = await countByKey(cluster, request, undefined, limit, (_at, _keys, more) => {
      amount += more
    })
    const most = mostOf(request)
    return { amount: Math.min(amount, most), isExact: amount < most && !partial, partial }
  }
  const most = countUpTo * (countEvents === undefined ? 1 : QUICKER)
  const glance = countEvents === undefined ? undefined : countEvents * QUICKER
  const { signal, deadline } = limit
  const asking = cluster.select<{ amount: string }>((server) => {
    const binding = server.newBinding()
    return {
      statement: `SELECT count() AS amount FROM (SELECT at FROM ${cluster.table}
        WHERE ${selectionCondition(request, binding)} LIMIT ${most})`,
      options: {
        binding,
        signal,
        stopAfterMs: deadline.leftMs(),
        mostRows: glance !== undefined && events > glance ? glance : undefined,
      },
    }
  })
  const { rows, partial } = await asking.catch((error: unknown) => ({
    rows: [],
    partial: deadline.missedBy(error),
  }))
  const amount = Number(rows[0]?.amount ?? 0)
  const stopped = deadline.isOver() ? deadline.partial : null
  const isWhole = amount < most && (glance === undefined || events <= glance)
  return { amount, isExact: isWhole && !stopped, partial: partial ?? stopped }
}

/**
 * Page by page behind the last event, so that memory stays small whatever is read. All or an error:
 * who scans for rules must not take a missing shard for silence.
 */
export async function* scan(
  cluster: Cluster,
  selection: LogSelection,
  { signal }: Limits = {},
): AsyncGenerator<StoredLog[]> {
  const request: SearchRequest = {
    ...selection,
    skip: 0,
    limit: SCAN_BATCH,
    order: 'asc',
    countUpTo: 0,
  }
  const { bounds, partial: missing } = await boundsOf(cluster, request, { signal })
  if (missing) throw unavailable(missing.detail)
  for (const time of slices(bounds, request)) {
    let after: SearchRequest['after']
    while (true) {
      signal?.throwIfAborted()
      const { logs, partial } = await page(cluster, { ...request, time, after }, SCAN_BATCH, {
        signal,
      })
      if (partial) throw unavailable(partial.detail)
      if (logs.length > 0) yield logs
      const last = logs.at(-1)
      if (!last || logs.length < SCAN_BATCH) break
      after = { at: last.at, id: last.id }
    }
  }
}
