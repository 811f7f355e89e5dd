import type { Incomplete, LogSelection, TimeRange } from '../../ports/log-store.ts'
import { createKeyTest } from '../key-questions.ts'
import { moment } from './binding.ts'
import type { Cluster } from './cluster.ts'
import type { Within } from './deadline.ts'
import { dayOf } from './rows.ts'
import { COUNTS, LOCAL, STEP_MS } from './schema.ts'
import type { SelectOptions, Server } from './server.ts'

/** Days of which as many events are counted as stored. A server that died may have lost counts. */
export async function countedDays(server: Server, options: SelectOptions = {}): Promise<string> {
  const rows = await server.select<{ day: string }>(
    `SELECT day FROM (
        SELECT partition AS day, sum(rows) AS stored, toUInt64(0) AS counted FROM system.parts
        WHERE active AND database = currentDatabase() AND table = '${LOCAL}' GROUP BY partition
        UNION ALL SELECT toString(received_day) AS day, toUInt64(0) AS stored,
        countMerge(events) AS counted FROM ${COUNTS} GROUP BY received_day)
      GROUP BY day HAVING sum(stored) = sum(counted)`,
    options,
  )
  // None is written as a day that no event has.
  return rows.map(({ day }) => `'${day}'`).join(', ') || `'1970-01-01'`
}

/** Whether counts can answer it: by arrival they cannot. */
export const isCounted = ({ received }: LogSelection, bucketMs: number | undefined) =>
  received === undefined && (bucketMs === undefined || bucketMs % STEP_MS === 0)

/** `at` is the beginning of a bucket, or of no meaning when there are none. */
type Add = (at: number, keys: { source: string; severity: string }, count: number) => void

type CountRow = { bucket: string; source: string; severity: string; amount: string }

/**
 * Counts by bucket, source and severity of what asks for nothing else. Events are read at the edges
 * of the time asked for, and of days whose counts are not whole.
 */
export async function countByKey(
  cluster: Cluster,
  selection: LogSelection,
  bucketMs: number | undefined,
  { signal, deadline }: Required<Within>,
  add: Add,
): Promise<Incomplete> {
  if (deadline.isOver()) return deadline.partial
  const matches = createKeyTest(selection.query)
  const asking = cluster.each(async (server) => {
    const days = await countedDays(server, { signal, giveUpAfterMs: deadline.leftMs() })
    const statement = countsOf(selection.time, days, bucketMs)
    return server.select<CountRow>(statement, { signal, stopAfterMs: deadline.leftMs() })
  }, signal)
  const { answers, partial } = await asking.catch((error: unknown) => ({
    answers: [],
    partial: deadline.missedBy(error),
  }))
  for (const { bucket, source, severity, amount } of answers.flat()) {
    if (matches(source, severity)) add(Number(bucket), { source, severity }, Number(amount))
  }
  return partial ?? (deadline.isOver() ? deadline.partial : null)
}

function countsOf({ from, to }: TimeRange, days: string, bucketMs: number | undefined): string {
  const first = from === undefined ? undefined : Math.ceil(from / STEP_MS) * STEP_MS
  const last = to === undefined ? undefined : Math.floor(to / STEP_MS) * STEP_MS
  const bucket = (column: string) =>
    bucketMs === undefined ? 'toInt64(0)' : `toInt64(floor(${column} / ${bucketMs}) * ${bucketMs})`
  const known = [`received_day IN (${days})`, ...within('start', first, last)]
  // Of what has to be read, all that is not among the known.
  const unknown = [`received_day NOT IN (${days})`, ...outside('at', first, last)]
  const read = [...within('at', from, to), `(${unknown.join(' OR ')})`]
  return `SELECT bucket, source, severity, sum(n) AS amount FROM (
      SELECT ${bucket('start')} AS bucket, source, severity, countMerge(events) AS n
      FROM ${COUNTS} WHERE ${known.join(' AND ')} GROUP BY bucket, source, severity
      UNION ALL
      SELECT ${bucket('at')} AS bucket, source, severity, count() AS n
      FROM ${LOCAL} WHERE ${read.join(' AND ')} GROUP BY bucket, source, severity)
    GROUP BY bucket, source, severity`
}

type Bounds = { events: number; from: number; to: number } | undefined

/** Between which times events can be that were asked for, and about how many; nothing where none can. */
export async function boundsOf(
  cluster: Cluster,
  { time, received }: LogSelection,
  { signal, deadline }: Within,
): Promise<{ bounds: Bounds; partial: Incomplete }> {
  const [from, to] = [time.from ?? Number.NEGATIVE_INFINITY, time.to ?? Number.POSITIVE_INFINITY]
  const arrived = [
    ...(received?.from === undefined ? [] : [`received_day >= '${dayOf(received.from)}'`]),
    ...(received?.to === undefined ? [] : [`received_day <= '${dayOf(received.to)}'`]),
  ]
  const { answers, partial } = await cluster.each(async (server) => {
    const days = await countedDays(server, { signal, giveUpAfterMs: deadline?.leftMs() })
    const known = [`received_day IN (${days})`, ...arrived, ...within('start', from - STEP_MS, to)]
    const read = [`received_day NOT IN (${days})`, ...arrived, ...within('at', from, to)]
    return server.select<{ amount: string; earliest: string; latest: string }>(
      `SELECT countMerge(events) AS amount, minMerge(first) AS earliest, maxMerge(last) AS latest
        FROM ${COUNTS} WHERE ${known.join(' AND ')}
      UNION ALL SELECT count() AS amount, min(at) AS earliest, max(at) AS latest
        FROM ${LOCAL} WHERE ${read.join(' AND ')}`,
      { signal, giveUpAfterMs: deadline?.leftMs() },
    )
  }, signal)
  const found = answers.flat().filter(({ amount }) => Number(amount) > 0)
  const bounds = {
    events: found.reduce((sum, { amount }) => sum + Number(amount), 0),
    from: Math.max(from, Math.min(...found.map(({ earliest }) => Number(earliest)))),
    to: Math.min(to, Math.max(...found.map(({ latest }) => Number(latest))) + 1),
  }
  return { bounds: found.length > 0 && bounds.from < bounds.to ? bounds : undefined, partial }
}

const within = (column: string, from: number | undefined, to: number | undefined) => [
  ...(from === undefined ? [] : [`${column} >= ${moment(from)}`]),
  ...(to === undefined ? [] : [`${column} < ${moment(to)}`]),
]

const outside = (column: string, from: number | undefined, to: number | undefined) => [
  ...(from === undefined ? [] : [`${column} < ${moment(from)}`]),
  ...(to === undefined ? [] : [`${column} >= ${moment(to)}`]),
]
