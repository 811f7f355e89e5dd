import type { Group, Measure, Places } from '@manara/log-query/aggregate'
import { NUMERIC } from '@manara/log-query/ast'
import type { LogStore } from '../../ports/log-store.ts'
import type { Binding } from './binding.ts'
import type { Cluster } from './cluster.ts'
import { summarise } from './summaries.ts'
import { valuesIn } from './values-in.ts'

type Bind = Binding['bind']

/**
 * As the embedded store groups. Old servers have no arrays with null, so a value is written with a
 * `v` before it and nothing at all is the empty text.
 */
export const aggregate =
  (cluster: Cluster): LogStore['aggregate'] =>
  async ({ by, measures, mostGroups, ...selection }, limits = {}) => {
    const { rows, partial } = await summarise<Record<string, string | number | null>>(
      cluster,
      selection,
      limits,
      (condition, bind) => {
        const columns = [
          ...by.map((one, at) => `${'field' in one ? marked(one, bind) : bucket(one)} AS l${at}`),
          ...measures.map((measure, at) => `${taken(measure, bind)} AS m${at}`),
        ]
        const keys = by.map((_, at) => `k${at}`)
        const totals = measures.flatMap((measure, at) => total(measure, at))
        const inner = `SELECT ${columns.join(', ') || '1 AS one'} FROM ${cluster.table} WHERE ${condition}`
        return `SELECT ${[...keys, ...totals, 'count() AS n'].join(', ')}
          FROM (${joined(inner, by.length, measures.length)})
          ${keys.length > 0 ? `GROUP BY ${keys.join(', ')}` : ''}
          ORDER BY n DESC LIMIT ${mostGroups + 1}`
      },
    )
    const groups = rows.map(
      (row): Group => ({
        keys: by.map((one, at) => keyOf(String(row[`k${at}`]), 'bucketMs' in one)),
        values: measures.map((measure, at) => measured(row, measure, at)),
      }),
    )
    return { groups: groups.slice(0, mostGroups), hasMore: rows.length > mostGroups, partial }
  }

const bucket = ({ bucketMs }: { bucketMs: number }) =>
  `[concat('v', toString(toInt64(floor(at / ${Number(bucketMs)}) * ${Number(bucketMs)})))]`

const marked = (places: Places, bind: Bind) =>
  `emptyArrayToSingle(arrayDistinct(arrayMap(text -> concat('v', text), ${valuesIn(places, bind)})))`

function taken(measure: Measure, bind: Bind): string {
  if (measure.kind === 'count') return "''"
  return measure.kind === 'distinct' ? valuesIn(measure, bind) : first(measure, bind)
}

const first = (places: Places, bind: Bind) =>
  `arrayElement(arrayMap(text -> concat('v', text), ${valuesIn(places, bind)}), 1)`

function joined(inner: string, keys: number, measures: number): string {
  let statement = inner
  for (let at = 0; at < keys; at += 1) {
    const kept = [
      ...Array.from({ length: at }, (_, one) => `k${one}`),
      ...Array.from({ length: keys - at - 1 }, (_, one) => `l${one + at + 1}`),
      ...Array.from({ length: measures }, (_, one) => `m${one}`),
    ]
    statement = `SELECT ${[...kept, `k${at}`].join(', ')} FROM (${statement}) ARRAY JOIN l${at} AS k${at}`
  }
  return statement
}

function total(measure: Measure, at: number): string[] {
  if (measure.kind === 'count') return [`count() AS t${at}`]
  const text = `m${at}`
  if (measure.kind === 'distinct') return [`uniqExactArray(${text}) AS t${at}`]
  const isNumber = `match(substring(${text}, 2), '${NUMERIC}')`
  const number = `toFloat64OrZero(substring(${text}, 2))`
  const counted = `countIf(${isNumber}) AS c${at}`
  if (measure.kind === 'percentile') {
    const share = Number(measure.at) / 100
    return [counted, `quantileExactIf(${share})(${number}, ${isNumber}) AS t${at}`]
  }
  return [counted, `${measure.kind}If(${number}, ${isNumber}) AS t${at}`]
}

function measured(row: Record<string, string | number | null>, measure: Measure, at: number) {
  const isEmpty =
    measure.kind !== 'count' && measure.kind !== 'distinct' && Number(row[`c${at}`]) === 0
  return isEmpty ? null : Number(row[`t${at}`])
}

function keyOf(text: string, isMoment: boolean): string | number | null {
  if (text === '') return null
  return isMoment ? Number(text.slice(1)) : text.slice(1)
}
