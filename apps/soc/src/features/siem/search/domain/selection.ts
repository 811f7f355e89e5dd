import { invalid } from '@manara/kit/errors'
import type { Query } from '@manara/log-query/ast'
import { allOf, anyOf } from '@manara/log-query/normalise'
import { parseQuery } from '@manara/log-query/parse'
import { describeQueryError } from '@manara/log-query/query-error'

export type Asked = {
  query?: string | undefined
  source?: string | null | undefined
  host?: string | null | undefined
  severity?: string | readonly string[] | null | undefined
  from?: Date | undefined
  to?: Date | undefined
}

export type Selection = {
  query: Query
  time: { from?: number | undefined; to?: number | undefined }
}

/** What to look for, and when. `name` is what the query is called in the request. */
export function selectionOf(asked: Asked, now: number, name = 'q'): Selection {
  const { query: text = '', source, host, severity } = asked
  const from = asked.from?.getTime()
  const to = asked.to?.getTime()
  if (from !== undefined && to !== undefined && from > to)
    throw invalid('from', 'must not be after to')
  const query = allOf([
    ...equal('source', source),
    ...equal('host', host),
    ...equal('severity', severity),
    readQuery(text, now, name),
  ])
  return { query, time: narrowed({ from, to }, query) }
}

export function readQuery(text: string, now: number, name = 'q'): Query {
  const parsed = parseQuery(text, now)
  if (!parsed.ok) throw invalid(name, describeQueryError(parsed.error))
  return parsed.query
}

function equal(field: string, values: Asked['severity']): Query[] {
  if (values === undefined || values === null) return []
  return [
    anyOf(
      [values].flat().map((value) => {
        const parts = value === '' ? [] : [value]
        return { kind: 'field', field, match: { kind: 'pattern', parts } }
      }),
    ),
  ]
}

/** Moments the query itself insists on, so that the store opens no older or newer files. */
function narrowed(time: Selection['time'], query: Query): Selection['time'] {
  const needed = query.kind === 'and' ? query.queries : [query]
  let { from, to } = time
  for (const one of needed) {
    if (one.kind !== 'field' || one.field !== 'timestamp' || one.match.kind !== 'range') continue
    const { gte, lt } = one.match
    if (typeof gte === 'number') from = Math.max(from ?? gte, gte)
    if (typeof lt === 'number') to = Math.min(to ?? lt, lt)
  }
  return { from, to }
}
