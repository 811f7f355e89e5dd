import { quoted } from '../../parts/quoted.ts'

export const RANGES = ['15m', '1h', '4h', '24h', '7d', '30d', 'all'] as const
type Range = (typeof RANGES)[number]

const UNIT_MS: Record<string, number> = { m: 60_000, h: 3_600_000, d: 86_400_000 }

/** What is asked for: all of it is in the address. */
export type SearchView = {
  q: string
  last: Range
  /** A stretch that was drawn or followed from elsewhere comes before `last`. */
  from: string
  to: string
  columns: string[]
  open: string
}

const COLUMNS = ['host', 'user', 'message']

export function viewOf(search: string): SearchView {
  const values = new URLSearchParams(search)
  const last = RANGES.find((range) => range === values.get('last')) ?? '24h'
  const columns = values.getAll('column')
  const q = values.get('q') ?? ''
  const source = values.get('source')
  return {
    // Links name a source; as a condition it is seen, can be taken away, and goes into hunts and rules.
    q: source ? withCondition(q, 'source', source, true) : q,
    last,
    from: values.get('from') ?? '',
    to: values.get('to') ?? '',
    columns: columns.length > 0 ? columns : COLUMNS,
    open: values.get('open') ?? '',
  }
}

/** The stretch of time that is meant, as the service takes it. */
export function rangeOf(
  { from, to, last }: SearchView,
  now: number,
): { from?: string; to?: string } {
  if (from || to) return { ...(from && { from }), ...(to && { to }) }
  if (last === 'all') return {}
  const length = Number(last.slice(0, -1)) * (UNIT_MS[last.slice(-1)] ?? 0)
  return { from: new Date(now - length).toISOString() }
}

/** One column more, the message still the last of them, or one fewer. */
export const toggledColumn = (columns: string[], name: string): string[] =>
  columns.includes(name)
    ? columns.filter((one) => one !== name)
    : [
        ...columns.filter((one) => one !== 'message'),
        name,
        ...columns.filter((one) => one === 'message'),
      ]

/** The query with one more condition: `+` on a value asks for it, `−` leaves it out. */
export function withCondition(q: string, field: string, value: string, isWanted: boolean): string {
  const condition = `${isWanted ? '' : 'NOT '}${quoted(field)}:${quoted(value)}`
  const before = q.trim()
  if (before === '') return condition
  return `${/\bOR\b|\|\|/i.test(before) ? `(${before})` : before} AND ${condition}`
}

export type Token = { start: number; text: string; field: string | null }

/** The word at the cursor: a field's name, or a value behind `field:`. */
export function tokenAt(q: string, cursor: number): Token {
  const start = Math.max(...[' ', '(', ')'].map((sign) => q.lastIndexOf(sign, cursor - 1))) + 1
  const word = q.slice(start, cursor)
  const colon = word.indexOf(':')
  return colon < 0
    ? { start, text: word, field: null }
    : {
        start: start + colon + 1,
        text: word.slice(colon + 1).replace(/^"/, ''),
        field: word.slice(0, colon),
      }
}

/** The words that are searched for, to be marked in what was found. */
export function markedWords(q: string): string[] {
  const words = q
    .replace(/\bNOT\s+\S+/gi, ' ')
    .match(/"[^"]+"|[^\s():]+/g)
    ?.map((word) => word.replaceAll('"', '').replaceAll('*', ''))
  return [...new Set(words ?? [])].filter(
    (word) => word.length > 2 && !/^(and|or|not)$/i.test(word),
  )
}
