import { COMMON_FIELDS, locate } from '@manara/log-query/event'
import { compareText } from '@manara/log-query/fold'
import type { Limits, LogSelection, LogStore, SourceSummary } from '../../ports/log-store.ts'
import { beginBuckets } from '../histogram-buckets.ts'
import { asksOnlyForKeys, isKey } from '../key-questions.ts'
import { type Binding, selectionCondition } from './binding.ts'
import type { Cluster } from './cluster.ts'
import { countByKey, countedDays, isCounted } from './count-keys.ts'
import { within } from './deadline.ts'
import { COUNTS, LOCAL } from './schema.ts'
import { valuesIn } from './values-in.ts'

/** A query over everything that was selected; after the time limit, what was counted until then. */
export async function summarise<Row>(
  cluster: Cluster,
  selection: LogSelection,
  limits: Limits,
  build: (condition: string, bind: Binding['bind']) => string,
) {
  const { signal, deadline } = within(limits)
  if (deadline.isOver()) return { rows: [], partial: deadline.partial }
  const asking = cluster.select<Row>((server) => {
    const binding = server.newBinding()
    const statement = build(selectionCondition(selection, binding), binding.bind)
    return { statement, options: { binding, signal, stopAfterMs: deadline.leftMs() } }
  })
  const { rows, partial } = await asking.catch((error: unknown) => ({
    rows: [],
    partial: deadline.missedBy(error),
  }))
  return { rows, partial: partial ?? (deadline.isOver() ? deadline.partial : null) }
}

export const histogram =
  (cluster: Cluster): LogStore['histogram'] =>
  async ({ bucketMs, by, ...selection }, limits = {}) => {
    const { add, inOrder } = beginBuckets()
    if (asksOnlyForKeys(selection.query) && isCounted(selection, bucketMs)) {
      const partial = await countByKey(
        cluster,
        selection,
        bucketMs,
        within(limits),
        (from, keys, count) => add(from, by ? keys[by] : 'count', count),
      )
      return { buckets: inOrder(), partial }
    }
    const { rows, partial } = await summarise<{ from: string; name: string; amount: string }>(
      cluster,
      selection,
      limits,
      (condition) => `SELECT floor(at / ${bucketMs}) * ${bucketMs} AS from,
        ${by ? by : "'count'"} AS name, count() AS amount
        FROM ${cluster.table} WHERE ${condition} GROUP BY from, name`,
    )
    for (const { from, name, amount } of rows) add(Number(from), name, Number(amount))
    return { buckets: inOrder(), partial }
  }

const KINDS = ['text', 'number', 'boolean'] as const

export const fieldNames =
  (cluster: Cluster): LogStore['fieldNames'] =>
  async (selection, limits = {}) => {
    const { rows, partial } = await summarise<{ name: string }>(
      cluster,
      selection,
      limits,
      (condition) =>
        `SELECT DISTINCT arrayJoin(field_names) AS name FROM ${cluster.table} WHERE ${condition}`,
    )
    return { names: rows.map(({ name }) => name), partial }
  }

export const fields =
  (cluster: Cluster): LogStore['fields'] =>
  async (selection, limits = {}) => {
    const [columns, own] = await Promise.all([
      summarise<Record<string, string>>(
        cluster,
        selection,
        limits,
        (condition) =>
          `SELECT ${COMMON_FIELDS.map(
            (name) => `count(\`${name}\`) AS count_${name}, uniq(\`${name}\`) AS distinct_${name}`,
          ).join(', ')} FROM ${cluster.table} WHERE ${condition}`,
      ),
      summarise<{ name: string; kinds: string[]; amount: string; distinct: string }>(
        cluster,
        selection,
        limits,
        (condition) => `SELECT name, groupUniqArray(kind) AS kinds, countIf(nth = 1) AS amount,
          uniq(text) AS distinct FROM ${cluster.table}
          ARRAY JOIN field_names AS name, field_texts AS text, field_kinds AS kind,
            arrayEnumerateUniq(field_names) AS nth
          WHERE ${condition} GROUP BY name ORDER BY amount DESC, name LIMIT 1000`,
      ),
    ])
    const [counts = {}] = columns.rows
    const common = COMMON_FIELDS.map((name) => ({
      name,
      types: ['text' as const],
      count: Number(counts[`count_${name}`] ?? 0),
      distinct: Number(counts[`distinct_${name}`] ?? 0),
    }))
    const listed = [
      ...common.filter(({ count }) => count > 0),
      ...own.rows.map(({ name, kinds, amount, distinct }) => ({
        name: locate(name).kind === 'field' ? name : `fields.${name}`,
        types: KINDS.filter((kind) => kinds.includes(kind)),
        count: Number(amount),
        distinct: Number(distinct),
      })),
    ]
    return {
      fields: listed.toSorted((a, b) => b.count - a.count || (a.name < b.name ? -1 : 1)),
      partial: columns.partial ?? own.partial,
    }
  }

export const topValues =
  (cluster: Cluster): LogStore['topValues'] =>
  async ({ field, also, limit, ...selection }, limits = {}) => {
    if (
      isKey(field) &&
      !also &&
      asksOnlyForKeys(selection.query) &&
      isCounted(selection, undefined)
    ) {
      const counts = new Map<string, number>()
      const partial = await countByKey(
        cluster,
        selection,
        undefined,
        within(limits),
        (_, keys, count) => counts.set(keys[field], (counts.get(keys[field]) ?? 0) + count),
      )
      const values = [...counts]
        .map(([value, count]) => ({ value, count }))
        .toSorted((a, b) => b.count - a.count || compareText(a.value, b.value))
      return { values: values.slice(0, limit), partial }
    }
    const location = locate(field)
    const { rows, partial } = await summarise<{ value: string; amount: string }>(
      cluster,
      selection,
      limits,
      (condition, bind) => {
        if (location.kind === 'field' || also) {
          const each = `arrayDistinct(${valuesIn({ field, also }, bind)})`
          return `SELECT arrayJoin(${each}) AS value, count() AS amount FROM ${cluster.table}
            WHERE ${condition} GROUP BY value ORDER BY amount DESC, value LIMIT ${limit}`
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
  type Row = { source: string; amount: string; earliest: string; latest: string }
  const { answers } = await cluster.each(async (server) => {
    const days = await countedDays(server)
    return server.select<Row>(`SELECT source, sum(n) AS amount, min(e) AS earliest, max(l) AS latest FROM (
        SELECT source, countMerge(events) AS n, minMerge(first) AS e, maxMerge(last) AS l
        FROM ${COUNTS} WHERE received_day IN (${days}) GROUP BY source
        UNION ALL SELECT source, count() AS n, min(at) AS e, max(at) AS l
        FROM ${LOCAL} WHERE received_day NOT IN (${days}) GROUP BY source)
      GROUP BY source`)
  }, undefined)
  const summaries = new Map<string, SourceSummary>()
  for (const { source, amount, earliest, latest } of answers.flat()) {
    const known = summaries.get(source)
    summaries.set(source, {
      source,
      count: (known?.count ?? 0) + Number(amount),
      firstAt: Math.min(known?.firstAt ?? Number.POSITIVE_INFINITY, Number(earliest)),
      lastAt: Math.max(known?.lastAt ?? Number.NEGATIVE_INFINITY, Number(latest)),
    })
  }
  return [...summaries.values()].toSorted((a, b) => compareText(a.source, b.source))
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
