import { invalid } from '@manara/kit/errors'
import type { GroupBy } from '@manara/log-query/aggregate'
import type { AggregateAnswer, AggregateRequest } from '@manara/soc-contract/siem-aggregate'
import type { Limits } from '../../../ports/log-store.ts'
import { readGroupBy, readMeasure } from './domain/read-measures.ts'
import { selectionOf } from './domain/selection.ts'
import type { ReadableLogs } from './readable-logs.ts'

const MOST_GROUPS = 100_000

type Row = AggregateAnswer['rows'][number]

/** Groups of events with their measures, as a table. */
export async function aggregateLogs(
  logs: ReadableLogs,
  request: AggregateRequest,
  now: number,
  limits: Limits,
): Promise<AggregateAnswer> {
  const { q, by: names, measures: asked, having, sort, order, limit, ...filter } = request
  const by = names.map(readGroupBy)
  const measures = asked.map(readMeasure)
  const columns = [...names, ...asked]
  const twice = columns.find((name, place) => columns.indexOf(name) !== place)
  if (twice !== undefined) throw invalid('measures', `${twice} is named twice`)
  const conditions = having.map(({ measure, ...condition }, place) => {
    if (!asked.includes(measure)) {
      throw invalid(`having.${place}.measure`, `must be one of ${asked.join(', ')}`)
    }
    return { ...condition, column: columns.indexOf(measure) }
  })
  if (sort !== undefined && !columns.includes(sort)) {
    throw invalid('sort', `must be one of ${columns.join(', ')}`)
  }
  const selection = selectionOf({ ...filter, query: q }, now)
  const found = await logs.aggregate(
    { ...selection, by, measures, mostGroups: MOST_GROUPS },
    limits,
  )
  const rows = found.groups
    .map(({ keys, values }): Row => [...keys.map((key, at) => shownKey(key, by[at])), ...values])
    .filter((row) => conditions.every(({ column, is, value }) => holds(row[column], is, value)))
  const sortBy = columns.indexOf(sort ?? asked[0] ?? '')
  const direction = order === 'asc' ? 1 : -1
  rows.sort((a, b) => direction * compare(a[sortBy], b[sortBy]) || compareAll(a, b))
  return {
    columns,
    rows: rows.slice(0, limit),
    total_groups: rows.length,
    is_exact: !found.hasMore && found.partial === null,
    partial: found.partial,
    notes: [
      ...(logs.notesOn?.(selection.query) ?? []),
      ...(found.hasMore
        ? [`there are more than ${MOST_GROUPS} groups: these are of the largest; narrow the query`]
        : []),
    ],
  }
}

const shownKey = (key: string | number | null, by: GroupBy | undefined) =>
  by && 'bucketMs' in by && key !== null ? new Date(Number(key)).toISOString() : key

function holds(
  measured: Row[number] | undefined,
  is: AggregateRequest['having'][number]['is'],
  value: number,
): boolean {
  if (typeof measured !== 'number') return false
  switch (is) {
    case '>':
      return measured > value
    case '>=':
      return measured >= value
    case '<':
      return measured < value
    case '<=':
      return measured <= value
    case '==':
      return measured === value
    case '!=':
      return measured !== value
  }
}

/** Nothing comes before everything; numbers by size, texts by their letters. */
function compare(a: Row[number] | undefined, b: Row[number] | undefined): number {
  if (a === b) return 0
  if (a === null || a === undefined) return -1
  if (b === null || b === undefined) return 1
  return a < b ? -1 : 1
}

function compareAll(a: Row, b: Row): number {
  for (const [place, value] of a.entries()) {
    const order = compare(value, b[place])
    if (order !== 0) return order
  }
  return 0
}
