import type { PatternPart } from './ast.ts'

/**
 * Of a value that stands by itself: `*` and `?` are wildcards, behind a backslash they are themselves.
 * Without any wildcard the value is meant as it is: paths are full of backslashes.
 */
export function wildcardParts(value: string): PatternPart[] {
  if (!/[*?]/.test(value)) return [value]
  return [...value.matchAll(/\\[*?\\]|[*?]|[^*?\\]+|\\/g)].map(([token]) => {
    if (token === '*') return { any: 'run' }
    if (token === '?') return { any: 'one' }
    return token.length === 2 && token.startsWith('\\') ? token.slice(1) : token
  })
}
