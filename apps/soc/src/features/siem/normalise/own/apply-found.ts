import type { FieldValue } from '@manara/log-query/event'
import { addressOf } from '../addresses.ts'
import { rebuild, storable } from '../fields.ts'
import type { NormalisedLog } from '../normalise.ts'
import { cut, PARSER, textOf } from '../parsed.ts'
import { FILLABLE, type Fillable, filledMark, partFields, SENT } from '../parser-marks.ts'
import { severityOf } from '../severity.ts'
import { programOf } from '../take-common.ts'
import { momentOf } from '../timestamps.ts'
import type { Found } from './found.ts'

const LONGEST_VALUE = 10_000

/**
 * The event with what a parser of the user's own found: it goes before what was known, since they
 * said so. Its message stays as it came, and so do the fields that came with it, in `original`.
 */
export function applyFound(log: NormalisedLog, found: Found, parser: string): NormalisedLog {
  const columns: Partial<NormalisedLog> = {}
  const fields: NormalisedLog['fields'] = {}
  for (const [name, value] of Object.entries(found)) {
    const column = columnOf(name, value, log.received_at)
    if (column) Object.assign(columns, column)
    else fields[name] = fieldOf(value)
  }
  const { sent, added, filled } = partFields(log.fields)
  const isReplaced = Object.keys(fields).some(
    (name) => Object.hasOwn(sent, name) && !isSame(sent[name], fields[name]),
  )
  const original =
    isReplaced && log.original === null
      ? JSON.stringify(rebuild({ fields: sent, original: null }))
      : log.original
  for (const name in fields) delete sent[name]
  const taken = FILLABLE.filter((name) => columns[name] !== undefined && !filled.includes(name))
  const marks: NormalisedLog['fields'] = {}
  for (const name of taken) {
    if (log[name] !== null && log[name] !== columns[name]) marks[SENT + name] = saidIn(log, name)
  }
  const all = FILLABLE.filter((name) => filled.includes(name) || taken.includes(name))
  if (all.length > 0) marks[filledMark(all)] = null
  return {
    ...log,
    ...columns,
    // What came stands before the parser's name, what it found behind.
    fields: { ...sent, [PARSER]: parser, ...added, ...fields, ...marks },
    original,
  }
}

const saidIn = (log: NormalisedLog, name: Fillable) =>
  name === 'at' ? new Date(log.at).toISOString() : log[name]

/** Under the name of a column what fits it; anything else is a field of that name. */
function columnOf(
  name: string,
  value: FieldValue,
  receivedAt: number,
): Partial<NormalisedLog> | undefined {
  const text = textOf(value)
  if (text === undefined) return undefined
  switch (name) {
    case 'user':
    case 'host':
    case 'event_code':
      return { [name]: cut(text, 255) ?? null }
    case 'process':
      return { process: cut(programOf(text), 255) ?? null }
    case 'src_ip':
    case 'dst_ip': {
      const address = addressOf(text)
      return address === undefined ? undefined : { [name]: address }
    }
    case 'severity': {
      const severity = severityOf(value)
      return severity && { severity }
    }
    case 'timestamp': {
      const at = momentOf(value, receivedAt)
      return at === undefined ? undefined : { at }
    }
    default:
      return undefined
  }
}

const fieldOf = (value: FieldValue): FieldValue =>
  typeof value === 'string' ? storable(value.slice(0, LONGEST_VALUE)) : value

const isSame = (a: unknown, b: unknown) => JSON.stringify(a) === JSON.stringify(b)

/** A value under the name that a parser has for it, as a person would compare it. */
export function shownValue(log: NormalisedLog, name: string): FieldValue {
  if (name === 'timestamp') return new Date(log.at).toISOString()
  if (Object.hasOwn(log.fields, name)) return log.fields[name] as FieldValue
  const columns = log as unknown as Record<string, FieldValue>
  return COLUMNS.has(name) ? (columns[name] ?? null) : null
}

const COLUMNS = new Set([
  ...['user', 'host', 'event_code', 'process', 'src_ip', 'dst_ip', 'severity', 'message'],
])
