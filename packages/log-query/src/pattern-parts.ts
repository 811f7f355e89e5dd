import type { Pattern, PatternPart } from './ast.ts'
import { fold, quoteRegex } from './fold.ts'
import { isRun } from './normalise.ts'

/** As they are compared: folded, unless the pattern regards case. */
export function comparableParts({ parts, isCaseSensitive }: Pattern): PatternPart[] {
  if (isCaseSensitive) return parts
  return parts.map((part) => (typeof part === 'string' ? fold(part) : part))
}

export type Place = 'whole' | 'start' | 'end' | 'inside'

/** One literal at a place; undefined for what takes more than looking for it. */
export function simpleOf(parts: PatternPart[]): { text: string; place: Place } | undefined {
  const [first = '', second, third] = parts
  if (parts.length <= 1 && typeof first === 'string') return { text: first, place: 'whole' }
  if (parts.length === 2 && typeof first === 'string' && isRun(second)) {
    return { text: first, place: 'start' }
  }
  if (!isRun(first) || typeof second !== 'string') return undefined
  if (parts.length === 2) return { text: second, place: 'end' }
  return parts.length === 3 && isRun(third) ? { text: second, place: 'inside' } : undefined
}

/** RE2 source of these parts, for a dot that means newlines too. */
export const partsRegex = (parts: PatternPart[]) =>
  parts
    .map((part) => (typeof part === 'string' ? quoteRegex(part) : isRun(part) ? '.*' : '.'))
    .join('')
