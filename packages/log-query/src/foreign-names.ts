import type { Query } from './ast.ts'
import { locate } from './event.ts'
import { anyOf, textQuery } from './normalise.ts'

/** How a field is named before a sign or a word of another language. */
export const NAME = '[A-Za-z_@][\\w.@-]*'

export const nameOf = (written: string) => (written === '@timestamp' ? 'timestamp' : written)

/** Else it may be any word of a sentence. */
export const looksLikeField = (name: string) =>
  locate(nameOf(name)).kind !== 'field' || /[._@]|[a-z][A-Z]/.test(name)

/** Whoever pasted it from a line finds the line. */
export const orText = (query: Query, text: string) =>
  anyOf([query, textQuery({ kind: 'pattern', parts: [text] })])
