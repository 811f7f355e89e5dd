import { clickhouseCondition } from '@manara/log-query/clickhouse'
import { joinAlternatives } from '@manara/log-query/join-alternatives'
import type { Bind } from '@manara/log-query/sql-condition'
import type { LogSelection, TimeRange } from '../../ports/log-store.ts'

/** The values of one statement: whatever came from outside goes through `bind`. */
export type Binding = { bind: Bind; parameters: Record<string, string | number> }

/** As parameters, which the server never reads as SQL. */
export function createParameters(): Binding {
  const parameters: Binding['parameters'] = {}
  return {
    parameters,
    bind(value) {
      const name = `p${Object.keys(parameters).length}`
      parameters[name] = value
      return `{${name}:${typeof value === 'number' ? 'Float64' : 'String'}}`
    },
  }
}

/** As literals, for servers that know no parameters. The only place that makes SQL of a value. */
export function createLiterals(): Binding {
  return { parameters: {}, bind: literal }
}

function literal(value: string | number): string {
  if (typeof value === 'number') {
    if (!Number.isFinite(value)) throw new RangeError('a bound must be finite')
    return `toFloat64(${value})`
  }
  // Between single quotes only these two are special; NUL would end the statement for some readers.
  return `'${value.replace(/[\\']/g, '\\$&').replaceAll('\0', '\\0')}'`
}

export function selectionCondition({ query, time, received }: LogSelection, bind: Bind): string {
  return [
    ...rangeConditions('at', time),
    ...rangeConditions('received_at', received),
    clickhouseCondition(joinAlternatives(query), bind),
  ].join(' AND ')
}

function rangeConditions(column: string, range: TimeRange | undefined): string[] {
  return [
    ...(range?.from === undefined ? [] : [`${column} >= ${moment(range.from)}`]),
    ...(range?.to === undefined ? [] : [`${column} < ${moment(range.to)}`]),
  ]
}

/** A number of ours as a whole number: also beyond what the column holds it compares rightly. */
export function moment(ms: number): string {
  return String(Math.max(-9e15, Math.min(9e15, Math.ceil(ms))))
}
