import { FILLED, type Fields, isParserMark } from './fields.ts'
import { PARSER } from './parsed.ts'

/** What the sender had said in a column that a parser then filled otherwise. */
export const SENT = '_sent.'

export const FILLABLE = [
  ...(['at', 'source', 'host', 'severity', 'user', 'process', 'event_code'] as const),
  ...(['src_ip', 'dst_ip'] as const),
] as const
export type Fillable = (typeof FILLABLE)[number]

export const filledMark = (columns: readonly Fillable[]) => `${FILLED}${columns.join('+')}`

/** By a bit for each column that is filled: every event has one, and there are few. */
export const FILLED_MARKS: readonly string[] = Array.from(
  { length: 1 << FILLABLE.length },
  (_, filled) => filledMark(FILLABLE.filter((_, at) => filled & (1 << at))),
)

/**
 * The fields that came with an event, and those that a parser added: these stand behind the name of
 * the parser. Events that were stored before that was so have them all before it, and keep them.
 */
export function partFields(fields: Fields): { sent: Fields; added: Fields; filled: Fillable[] } {
  const sent: Fields = {}
  const added: Fields = {}
  let filled: Fillable[] = []
  let part = sent
  for (const [name, value] of Object.entries(fields)) {
    if (name === PARSER) part = added
    else if (part === added && isParserMark(name)) filled = columnsIn(name)
    else part[name] = value
  }
  // Names that are numbers stand before all others, whoever gave them: they stay.
  return { sent, added, filled }
}

function columnsIn(mark: string): Fillable[] {
  const names = mark.slice(FILLED.length).split('+')
  return FILLABLE.filter((column) => names.includes(column))
}
