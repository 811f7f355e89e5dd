import { aggregateEvents, placesIn } from '@manara/log-query/aggregate'
import type { Query } from '@manara/log-query/ast'
import { type FieldValue, locate } from '@manara/log-query/event'
import { compilePredicate } from '@manara/log-query/predicate'
import type { Log } from '@manara/soc-contract/siem'
import type { LogSelection, StoredLog, TimeRange } from '../../../ports/log-store.ts'
import type { ReadableLogs } from './readable-logs.ts'

/** A few events that never change, read as the store would be. */
export function showLogs(shown: Log[]): ReadableLogs {
  const logs = shown.map(toStored).sort(byPosition)

  return {
    async search({ order, after, skip, limit, ...selection }) {
      const found = select(logs, selection)
      const inOrder = order === 'asc' ? found : found.toReversed()
      const start = after ? inOrder.findIndex((log) => log.id === after.id) + 1 : 0
      return {
        logs: inOrder.slice(start + skip, start + skip + limit),
        total: found.length,
        isTotalExact: true,
        partial: null,
      }
    },
    byId: async (id) => logs.find((log) => log.id === id),
    async *scan(selection) {
      yield select(logs, selection)
    },
    async histogram({ bucketMs, by, ...selection }) {
      const buckets = Map.groupBy(
        select(logs, selection),
        ({ at }) => Math.floor(at / bucketMs) * bucketMs,
      )
      return {
        buckets: [...buckets].map(([from, inside]) => ({
          from,
          counts: tally(inside.map((log) => (by ? log[by] : ''))),
        })),
        partial: null,
      }
    },
    async fields(selection) {
      const found = select(logs, selection)
      const names = [...new Set(found.flatMap(namesOf))]
      return { fields: names.map((name) => summary(name, found)), partial: null }
    },
    async topValues({ limit, ...request }) {
      const counts = tally(
        select(logs, request).flatMap((log) => [
          ...new Set(placesIn(request).flatMap((name) => valuesOf(log, name).map(String))),
        ]),
      )
      const values = Object.entries(counts).map(([value, count]) => ({ value, count }))
      values.sort((a, b) => b.count - a.count)
      return { values: values.slice(0, limit), partial: null }
    },
    async aggregate(request) {
      return { ...aggregateEvents(select(logs, request), request), partial: null }
    },
    async sources() {
      return [...Map.groupBy(logs, ({ source }) => source)].map(([source, of]) => ({
        source,
        count: of.length,
        firstAt: of[0]?.at ?? 0,
        lastAt: of.at(-1)?.at ?? 0,
      }))
    },
  }
}

function toStored({ timestamp, fields, ...log }: Log): StoredLog {
  const at = Date.parse(timestamp)
  return { ...log, at, received_at: at, fields: fields as StoredLog['fields'], original: null }
}

const byPosition = (a: StoredLog, b: StoredLog) => a.at - b.at || (a.id < b.id ? -1 : 1)

function select(logs: StoredLog[], { query, time }: Pick<LogSelection, 'query' | 'time'>) {
  const matches = compilePredicate(query satisfies Query)
  return logs.filter((log) => isWithin(log.at, time) && matches(log))
}

const isWithin = (at: number, { from, to }: TimeRange) =>
  (from === undefined || at >= from) && (to === undefined || at < to)

const COLUMNS = ['host', 'user', 'process', 'event_code', 'src_ip', 'dst_ip'] as const

function namesOf(log: StoredLog): string[] {
  const columns = COLUMNS.filter((name) => log[name] !== null)
  return ['source', 'severity', 'message', ...columns, ...Object.keys(log.fields)]
}

function valuesOf(log: StoredLog, name: string): (string | number | boolean)[] {
  const location = locate(name)
  if (location.kind === 'timestamp') return [log.at]
  const value: FieldValue | undefined =
    location.kind === 'column' ? log[location.column] : log.fields[location.name]
  return [value ?? null].flat().filter((one) => one !== null)
}

function summary(name: string, logs: StoredLog[]) {
  const values = logs.flatMap((log) => valuesOf(log, name))
  return {
    name,
    types: [...new Set(values.map(typeOf))],
    count: logs.filter((log) => valuesOf(log, name).length > 0).length,
    distinct: new Set(values).size,
  }
}

const typeOf = (value: string | number | boolean) =>
  typeof value === 'number' ? 'number' : typeof value === 'boolean' ? 'boolean' : 'text'

function tally(values: string[]): Record<string, number> {
  const counts: Record<string, number> = {}
  for (const value of values) counts[value] = (counts[value] ?? 0) + 1
  return counts
}
