export type Scalar = string | number | boolean | null
export type FieldValue = Scalar | Scalar[]

/** One log event as it is searched: the common names as columns, everything it came with in `fields`. */
export type LogRecord = {
  id: string
  /** Milliseconds since 1970, as everywhere in this package. */
  at: number
  source: string
  host: string | null
  severity: string
  message: string
  user: string | null
  process: string | null
  event_code: string | null
  src_ip: string | null
  dst_ip: string | null
  /**
   * Every original field under its own name, nested ones under their dotted path
   * (`process.name`); a list has its scalars in order.
   */
  fields: Record<string, FieldValue>
}

/**
 * Names that mean a column. An original field of the same name is reached as `fields.<name>`, which
 * works for every other field too.
 */
export const COMMON_FIELDS = [
  'id',
  'source',
  'host',
  'severity',
  'message',
  'user',
  'process',
  'event_code',
  'src_ip',
  'dst_ip',
] as const satisfies (keyof LogRecord)[]
export type CommonField = (typeof COMMON_FIELDS)[number]

/** Where free text looks, beside the value of every field: an id is random, so only `id:` finds it. */
export const TEXT_FIELDS = COMMON_FIELDS.filter((name) => name !== 'id')

/** What a name in a query means; the key tells a column from an original field of its name. */
export type Location =
  | { kind: 'timestamp' }
  | { kind: 'column'; column: CommonField; key: string }
  | { kind: 'field'; name: string; key: string }

export function locate(name: string): Location {
  if (name === 'timestamp') return { kind: 'timestamp' }
  const column = COMMON_FIELDS.find((common) => common === name)
  if (column) return { kind: 'column', column, key: `column ${column}` }
  const original = name.startsWith('fields.') ? name.slice(7) : name
  return { kind: 'field', name: original, key: `field ${original}` }
}
