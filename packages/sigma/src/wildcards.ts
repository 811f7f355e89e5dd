import type { PatternPart } from '@manara/log-query/ast'
import { joinParts } from '@manara/log-query/normalise'

const RUN: PatternPart = { any: 'run' }
const ONE: PatternPart = { any: 'one' }

/** `*` and `?` are wildcards; `\*`, `\?` and `\\` stand for the character; any other `\` is itself. */
export const readWildcards = (text: string): PatternPart[] => {
  const parts: PatternPart[] = []
  for (let at = 0; at < text.length; at += 1) {
    const character = text[at] ?? ''
    const next = text[at + 1]
    if (character === '\\' && (next === '*' || next === '?' || next === '\\')) {
      parts.push(next)
      at += 1
    } else parts.push(character === '*' ? RUN : character === '?' ? ONE : character)
  }
  return joinParts(parts)
}

export const writeWildcards = (parts: PatternPart[]): string =>
  parts
    .map((part) =>
      typeof part === 'string' ? part.replace(/[\\*?]/g, '\\$&') : part.any === 'run' ? '*' : '?',
    )
    .join('')

export const around = (
  parts: PatternPart[],
  where: 'contains' | 'startswith' | 'endswith',
): PatternPart[] =>
  joinParts([
    ...(where === 'startswith' ? [] : [RUN]),
    ...parts,
    ...(where === 'endswith' ? [] : [RUN]),
  ])
