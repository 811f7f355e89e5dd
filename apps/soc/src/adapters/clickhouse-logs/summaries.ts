import { COMMON_FIELDS, locate } from '@manara/log-query/event'
import type { Bucket, Limits, LogSelection, LogStore } from '../../ports/log-store.ts'
import type { Binding } from './binding.ts'
import { selectionCondition } from './binding.ts'
import type { Cluster } from './cluster.ts'
import { LOCAL } from './schema.ts'
import { deadlineOf } from './search.ts'

/** A query over everything that was selected; after the time limit, what was counted until then. */
export async function summarise<Row>(
  cluster: Cluster,
  selection: LogSelection,
  { signal, timeLimitMs }: Limits,
  build: (condition: string, bind: Binding['bind']) => string,
) {
  const deadline = deadlineOf({ timeLimitMs })
  if (deadline.isOver()) return { rows: [], partial: deadline.partial }
  const { rows, partial } = await cluster.select<Row>((server) => {
    const binding = server.newBinding()
    const statement = build(selectionCondition(selection, binding.bind), binding.bind)
    return { statement, options: { binding, signal, stopAfterMs: timeLimitMs } }
  })
  return { rows, partial: partial ?? (deadline.isOver() ? deadline.partial : null) }
}

export const histogram =
  (cluster: Cluster): LogStore['histogram'] =>
  async ({ bucketMs, by, ...selection }, limits = {}) => {
    const { rows, partial } = await summarise<{ from: string; name: string; amount: string }>(
      cluster,
      selection,
      limits,
      (condition) => `SELECT floor(at / ${bucketMs}) * ${bucketMs} AS from,
        ${by ? by : "'count'"} AS name, count() AS amount
        FROM ${cluster.table} WHERE ${condition} GROUP BY from, name ORDER BY from`,
    )
    const buckets: Bucket[] = []
    for (const { from, name, amount } of rows) {
      const last = buckets.at(-1)
      const bucket = last?.from === Number(from) ? last : { from: Number(from), counts: {} }
      if (bucket !== last) buckets.push(bucket)
      bucket.counts[name] = Number(amount)
    }
    return { buckets, partial }
  }

const COLUMNS = COMMON_FIELDS.filter((name) => name !== 'id')
const KINDS = ['text', 'number', 'boolean'] as const

export const fields =
  (cluster: Cluster): LogStore['fields'] =>
  async (selection, limits = {}) => {
    const [columns, own] = await Promise.all([
      summarise<Record<string, string>>(
        cluster,
        selection,
        limits,
        (condition) =>
          `SELECT ${COLUMNS.map(
            (name) => `count(\`${name}\`) AS count_${name}, uniq(\`${name}\`) AS distinct_${name}`,
          ).join(', ')} FROM ${cluster.table} WHERE ${condition}`,
      ),
      summarise<{ name: string; kinds: string[]; amount: string; distinct: string }>(
        cluster,
        selection,
        limits,
        (condition) => `SELECT name, groupUniqArray(kind) AS kinds, count() AS amount,
          uniq(text) AS distinct FROM ${cluster.table}
          ARRAY JOIN field_names AS name, field_texts AS text, field_kinds AS kind
          WHERE ${condition} GROUP BY name ORDER BY amount DESC, name LIMIT 1000`,
      ),
    ])
    const [counts = {}] = columns.rows
    const common = COLUMNS.map((name) => ({
      name,
      types: ['text' as const],
      count: Number(counts[`count_${name}`] ?? 0),
      distinct: Number(counts[`distinct_${name}`] ?? 0),
    }))
    return {
      fields: [
        ...common.filter(({ count }) => count > 0),
        ...own.rows.map(({ name, kinds, amount, distinct }) => ({
          name: locate(name).kind === 'field' ? name : `fields.${name}`,
          types: KINDS.filter((kind) => kinds.includes(kind)),
          count: Number(amount),
          distinct: Number(distinct),
        })),
      ],
      partial: columns.partial ?? own.partial,
    }
  }

export const topValues =
  (cluster: Cluster): LogStore['topValues'] =>
  async ({ field, limit, ...selection }, limits = {}) => {
    const location = locate(field)
    const { rows, partial } = await summarise<{ value: string; amount: string }>(
      cluster,
      selection,
      limits,
      (condition, bind) => {
        if (location.kind === 'field') {
          return `SELECT text AS value, count() AS amount FROM ${cluster.table}
            ARRAY JOIN field_names AS name, field_texts AS text
            WHERE ${condition} AND name = ${bind(location.name)}
            GROUP BY value ORDER BY amount DESC, value LIMIT ${limit}`
        }
        const column = location.kind === 'column' ? `\`${location.column}\`` : 'toString(at)'
        return `SELECT assumeNotNull(${column}) AS value, count() AS amount FROM ${cluster.table}
          WHERE ${condition} AND isNotNull(${column})
          GROUP BY value ORDER BY amount DESC, value LIMIT ${limit}`
      },
    )
    return {
      values: rows.map(({ value, amount }) => ({ value, count: Number(amount) })),
      partial,
    }
  }

export async function sources(cluster: Cluster): ReturnType<LogStore['sources']> {
  const { rows } = await cluster.select<{
    source: string
    amount: string
    first: string
    last: string
  }>(() => ({
    statement: `SELECT source, count() AS amount, min(at) AS first, max(at) AS last
      FROM ${cluster.table} GROUP BY source ORDER BY source`,
  }))
  return rows.map(({ source, amount, first, last }) => ({
    source,
    count: Number(amount),
    firstAt: Number(first),
    lastAt: Number(last),
  }))
}

/** Of the servers that answer. */
export async function stats({ servers }: Cluster): ReturnType<LogStore['stats']> {
  const answers = await Promise.allSettled(
    servers.map(async (server) => {
      const [parts] = await server.select<{ events: string; bytes: string }>(
        `SELECT sum(rows) AS events, sum(bytes_on_disk) AS bytes FROM system.parts
          WHERE active AND database = currentDatabase() AND table = '${LOCAL}'`,
      )
      const [first] = await server.select<{ at: string }>(`SELECT min(at) AS at FROM ${LOCAL}`)
      return { events: Number(parts?.events), bytes: Number(parts?.bytes), at: Number(first?.at) }
    }),
  )
  const found = answers.flatMap((answer) => (answer.status === 'fulfilled' ? [answer.value] : []))
  if (found.length === 0) throw (answers[0] as PromiseRejectedResult).reason
  const filled = found.filter(({ events }) => events > 0)
  return {
    events: found.reduce((sum, { events }) => sum + events, 0),
    bytes: found.reduce((sum, { bytes }) => sum + bytes, 0),
    oldestAt: filled.length > 0 ? Math.min(...filled.map(({ at }) => at)) : null,
  }
}
