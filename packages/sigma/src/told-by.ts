import { allOf, anyOf } from '@manara/log-query/normalise'
import { exists, field, not } from './queries.ts'

/**
 * What a source calls itself is free text here, so asking for a name would silently never match
 * where somebody chose another. These sources are told by what an event is not: from the Windows
 * event log. The rule's own fields and values do the rest.
 */
export const NOT_WINDOWS = not(allOf([exists('Channel'), exists('EventID')]))

/** Told by the name of the source or of the program that wrote it. */
export const named = (pattern: string) => {
  const match = { kind: 'regex', source: pattern, flags: { i: true } } as const
  return anyOf([field('source', match), field('process', match)])
}
