import type { Severity } from '@manara/soc-contract/severity'
import { type Fields, storable } from './fields.ts'

/** The field that says which format of the catalogue an event was read as; those without were not. */
export const PARSER = '_parser'

/** The field that holds who forwarded an event. */
export const COLLECTOR = 'collector'
/** What a line that somebody wrote says in that field: nobody takes it for who forwarded it. */
export const WRITTEN_COLLECTOR = `event.${COLLECTOR}`

/** What a parser found; `fields` are added to those the event came with and replace none. */
export type Parsed = {
  /** For events whose sender names no source. */
  source?: string | undefined
  at?: number | undefined
  /** The machine it happened on, said beyond doubt: goes before what a forwarder says. */
  machine?: string | undefined
  host?: string | undefined
  severity?: Severity | undefined
  message?: string | undefined
  user?: string | undefined
  process?: string | undefined
  event_code?: string | undefined
  src_ip?: string | undefined
  dst_ip?: string | undefined
  fields: Fields
}

/**
 * What lines before said of those after them, within one request or stream: the names of columns,
 * the first record of several. Bounded by the formats that use it, each under a name of its own.
 */
export type Memory = Map<string, unknown>

export type TextContext = {
  receivedAt: number
  /** Who wrote it, where a header before it said so. */
  process?: string | undefined
  /** What stood before the text: the name of the program that said it, or a time and no name. */
  follows?: 'program' | 'time' | undefined
  memory?: Memory | undefined
}

/** One line of text, without the header before it. */
export type ParseText = (text: string, context: TextContext) => Parsed | undefined

/** One object, flattened: nested names are dotted paths. */
export type ParseObject = (
  fields: Fields,
  context: {
    receivedAt: number
    object: Record<string, unknown>
    /** What the event says in words, where a column has taken it. */
    message?: string | undefined
  },
) => Parsed | undefined

/** The first element when it is a list, as text; nothing for null, the empty text and a dash. */
export function textOf(value: unknown): string | undefined {
  const first = Array.isArray(value) ? value[0] : value
  if (typeof first === 'number' || typeof first === 'boolean') return String(first)
  if (typeof first !== 'string' || first === '' || first === '-') return undefined
  return first
}

/** What stands first under one of these names. */
export function pick(fields: Fields, names: readonly string[] = []): string | undefined {
  for (const name of names) {
    const value = fields[name]
    if (value === undefined) continue
    const text = textOf(value)
    if (text !== undefined) return text
  }
  return undefined
}

export const cut = (text: string | undefined, longest: number) =>
  text === undefined ? undefined : storable(text.slice(0, longest))
