import type { PatternPart } from '@manara/log-query/ast'
import { joinParts } from '@manara/log-query/normalise'
import { readWildcards } from './wildcards.ts'

/** What `%name%` stands for in values with the modifier `expand`. */
export type Placeholders = {
  values: Record<string, string[]>
  /** Called for a name without values: it stays in the query as written, for somebody to fill in. */
  onUnknown(name: string): void
}

/** Not behind a backslash: `\%` is the character itself. */
const PLACEHOLDER = /(?<!\\)%([^%\s]+)%/

export const expandPlaceholders = (
  parts: PatternPart[],
  placeholders: Placeholders,
): PatternPart[][] => {
  let ways: PatternPart[][] = [[]]
  for (const part of parts) {
    const pieces = typeof part === 'string' ? expandText(part, placeholders) : [[part]]
    ways = ways.flatMap((way) => pieces.map((piece) => [...way, ...piece]))
  }
  return ways.map(joinParts)
}

const expandText = (text: string, placeholders: Placeholders): PatternPart[][] => {
  const found = PLACEHOLDER.exec(text)
  if (!found) return [[withoutEscapes(text)]]
  const [whole, name = ''] = found
  const rest = expandText(text.slice(found.index + whole.length), placeholders)
  const values = Object.hasOwn(placeholders.values, name) ? placeholders.values[name] : undefined
  if (!values) placeholders.onUnknown(name)
  const ways = values ? values.map(readWildcards) : [[whole]]
  const before = withoutEscapes(text.slice(0, found.index))
  return ways.flatMap((way) => rest.map((tail) => [before, ...way, ...tail]))
}

const withoutEscapes = (text: string) => text.replaceAll('\\%', '%')
