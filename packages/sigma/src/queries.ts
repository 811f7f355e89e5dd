import type { Match, Query } from '@manara/log-query/ast'
import { anyOf } from '@manara/log-query/normalise'

export const not = (query: Query): Query => ({ kind: 'not', query })

export const field = (name: string, match: Match): Query => ({ kind: 'field', field: name, match })

export const exists = (name: string): Query => field(name, { kind: 'exists' })

export const isOneOf = (name: string, values: (string | number)[]): Query =>
  anyOf(values.map((value) => field(name, { kind: 'pattern', parts: [String(value)] })))
