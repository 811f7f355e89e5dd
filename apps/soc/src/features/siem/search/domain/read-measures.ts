import { invalid } from '@manara/kit/errors'
import type { GroupBy, Measure } from '@manara/log-query/aggregate'

const UNITS = { s: 1_000, m: 60_000, h: 3_600_000, d: 86_400_000, w: 604_800_000 } as const
const MEASURE = /^(distinct|min|max|sum|avg|p(\d{1,2}(?:\.\d{1,3})?|100))\((.+)\)$/
const STRETCH = /^time:(\d{1,6})([smhdw])$/

/** `time:5m`, or the name of a field. */
export function readGroupBy(text: string, place: number): GroupBy {
  if (!text.startsWith('time:')) {
    if (text === '') throw invalid(`by.${place}`, 'must not be empty')
    return { field: text }
  }
  const [, amount, unit] = STRETCH.exec(text) ?? []
  const bucketMs = Number(amount) * UNITS[unit as keyof typeof UNITS]
  if (!unit || bucketMs === 0) {
    throw invalid(`by.${place}`, 'must be like time:30s, time:5m, time:1h, time:1d or time:1w')
  }
  return { bucketMs }
}

/** `count`, `distinct(user)`, `avg(bytes)`, `p95(bytes)`. */
export function readMeasure(text: string, place: number): Measure {
  if (text === 'count') return { kind: 'count' }
  const [, kind, percent, field] = MEASURE.exec(text) ?? []
  if (kind === undefined || field === undefined) {
    throw invalid(
      `measures.${place}`,
      'must be count, or distinct, min, max, sum, avg or p0 to p100 of a field: avg(bytes)',
    )
  }
  if (percent !== undefined) return { kind: 'percentile', field, at: Number(percent) }
  return { kind: kind as 'sum', field }
}
