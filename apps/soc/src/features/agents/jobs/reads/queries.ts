import type { Query } from '@manara/log-query/ast'
import { allOf, anyOf } from '@manara/log-query/normalise'
import { parseQuery } from '@manara/log-query/parse'

/** Values are data: they become equalities, never a part of a query's text. */
export const valueIs = (field: string, value: string): Query => ({
  kind: 'field',
  field,
  match: { kind: 'pattern', parts: value === '' ? [] : [value] },
})

export const anyValue = (field: string, values: string[]): Query =>
  anyOf(values.map((value) => valueIs(field, value)))

export const contains = (value: string): Query => ({
  kind: 'text',
  match: { kind: 'pattern', parts: [value] },
})

export const both = (...queries: Query[]): Query => allOf(queries)
export const either = (...queries: Query[]): Query => anyOf(queries)

/** A query of our own; a mistake in it is ours. */
export function query(text: string): Query {
  const parsed = parseQuery(text, 0)
  if (!parsed.ok) throw new Error(`${text}: ${JSON.stringify(parsed.error)}`)
  return parsed.query
}

/** `web-1` and `web-1.example.org` are the same machine. */
export const onHost = (host: string): Query => {
  const short = host.split('.')[0] ?? host
  return anyOf([
    valueIs('host', host),
    valueIs('host', short),
    {
      kind: 'field',
      field: 'host',
      match: { kind: 'pattern', parts: [`${short}.`, { any: 'run' }] },
    },
  ])
}
