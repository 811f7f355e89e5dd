export type TextCursor = ReturnType<typeof createTextCursor>

/** Reads a text from left to right; what does not fit is an Error that names the character. */
export function createTextCursor(text: string) {
  let at = 0

  function fail(expected: string, position = at): never {
    const found = position < text.length ? JSON.stringify(text[position]) : 'the end'
    throw new Error(`expected ${expected} at character ${position + 1}, found ${found}`)
  }

  return {
    fail,
    ended: () => at === text.length,
    next: () => text[at],

    /** Steps over `literal` if it comes next. */
    skip(literal: string): boolean {
      if (!text.startsWith(literal, at)) return false
      at += literal.length
      return true
    },

    /** The run that a sticky pattern matches here. */
    take(pattern: RegExp, expected: string): string {
      pattern.lastIndex = at
      const run = pattern.exec(text)?.[0]
      if (run === undefined) fail(expected)
      at += run.length
      return run
    },

    /** A decimal number within bounds, both included. */
    number(low: number, high: number, what: string): number {
      const start = at
      const digits = this.take(/\d+/y, `${what} (${low}..${high})`)
      const value = Number(digits)
      if (value < low || value > high) fail(`${what} (${low}..${high})`, start)
      return value
    },
  }
}
