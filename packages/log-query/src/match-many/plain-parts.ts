/** Letters that no other letter becomes when it is folded. */
const PLAIN = /[\0-\x40\x5b-\x60\x7b-\x7f]{2,}/g
/** To look for more of them takes longer than to fold the text. */
const MOST_PARTS = 4

/**
 * The parts of literals that stand in a text as they are if the literal does, in whatever case: most
 * texts are seen to have none of a few literals without being folded.
 */
export function createPlainParts() {
  const parts = new Map<string, number>()
  let literalsWithout = 0

  function count(literal: string, by: 1 | -1) {
    const part = longestOf(literal.match(PLAIN) ?? [])
    if (part === undefined) literalsWithout += by
    else {
      const left = (parts.get(part) ?? 0) + by
      if (left > 0) parts.set(part, left)
      else parts.delete(part)
    }
  }

  return {
    add: (literal: string) => count(literal, 1),
    remove: (literal: string) => count(literal, -1),
    /** False where none of the literals stands in the text. */
    mayStandIn(text: string): boolean {
      if (literalsWithout > 0 || parts.size > MOST_PARTS) return true
      for (const part of parts.keys()) if (text.includes(part)) return true
      return false
    },
  }
}

function longestOf(texts: string[]): string | undefined {
  let longest: string | undefined
  for (const text of texts) if (text.length > (longest?.length ?? 0)) longest = text
  return longest
}
