import type { Query } from '@manara/log-query/ast'
import { clickhouseCondition } from '@manara/log-query/clickhouse'
import { joinAlternatives } from '@manara/log-query/join-alternatives'
import { requiredLiterals } from '@manara/log-query/literals'
import type { Bind } from '@manara/log-query/sql-condition'
import type { LogSelection, TimeRange } from '../../ports/log-store.ts'
import { TEXTS } from './schema.ts'

/** The values of one statement: whatever came from outside goes through `bind`. */
export type Binding = {
  bind: Bind
  parameters: Record<string, string | number>
  /** The server has the texts of an event in one column, with an index. */
  hasTexts?: boolean
}

/** Parameters travel in the address, which servers and what stands before them limit. */
const LONGEST_PARAMETER = 4_096

/** As parameters, which the server never reads as SQL, but for what is too long. */
export function createParameters(): Binding {
  const parameters: Binding['parameters'] = {}
  return {
    parameters,
    bind(value) {
      if (typeof value === 'string' && value.length > LONGEST_PARAMETER) return literal(value)
      const name = `p${Object.keys(parameters).length}`
      parameters[name] = value
      return `{${name}:${typeof value === 'number' ? 'Float64' : 'String'}}`
    },
  }
}

/** As literals, for servers that know no parameters. */
export function createLiterals(): Binding {
  return { parameters: {}, bind: literal }
}

/** The only place that makes SQL of a value. */
function literal(value: string | number): string {
  if (typeof value === 'number') {
    if (!Number.isFinite(value)) throw new RangeError('a bound must be finite')
    return `toFloat64(${value})`
  }
  // Between single quotes only these two are special; NUL would end the statement for some readers.
  return `'${value.replace(/[\\']/g, '\\$&').replaceAll('\0', '\\0')}'`
}

export function selectionCondition(
  { query, time, received }: LogSelection,
  { bind, hasTexts }: Pick<Binding, 'bind' | 'hasTexts'>,
): string {
  return [
    ...rangeConditions('at', time),
    ...rangeConditions('received_at', received),
    ...(hasTexts ? textConditions(query, bind) : []),
    clickhouseCondition(joinAlternatives(query), bind),
  ].join(' AND ')
}

/** Shorter texts are in no index, and longer lists cost more than they save. */
const [SHORTEST, MOST_TEXTS] = [4, 16]

/** What must stand somewhere in an event that matches: says too much, never too little. */
function textConditions(query: Query, bind: Bind): string[] {
  return requiredLiterals(query)
    .filter((clause) => clause.length <= MOST_TEXTS)
    .filter((clause) => clause.every(({ text }) => [...text].length >= SHORTEST))
    .map((clause) => {
      const texts = clause.map(({ text }) => text.replace(/[\\%_]/g, '\\$&'))
      return `(${texts.map((text) => `${TEXTS} LIKE ${bind(`%${text}%`)}`).join(' OR ')})`
    })
}

export function rangeConditions(column: string, range: TimeRange | undefined): string[] {
  return [
    ...(range?.from === undefined ? [] : [`${column} >= ${moment(range.from)}`]),
    ...(range?.to === undefined ? [] : [`${column} < ${moment(range.to)}`]),
  ]
}

/** A number of ours as a whole number: also beyond what the column holds it compares rightly. */
export function moment(ms: number): string {
  return String(Math.max(-9e15, Math.min(9e15, Math.ceil(ms))))
}
