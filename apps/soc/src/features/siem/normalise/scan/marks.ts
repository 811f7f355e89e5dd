/** So many letters tell nearly all places apart from those where one of many texts begins. */
const LETTERS = 3
/** Of each letter before the last so many bits: the hash of some letters forgets those before them. */
const BITS = 5
const MOST = 2 ** (LETTERS * BITS) - 1

const withNext = (hash: number, letter: number) => ((hash << BITS) ^ letter) & MOST

/** Looks for many texts of three letters or more at once, by how each begins. */
export function createMarks(marks: Iterable<string>) {
  const beginning: string[][] = []
  const isBeginning = new Uint8Array(MOST + 1)
  for (const mark of marks) {
    if (mark.length < LETTERS) throw new Error(`too short to be looked for: ${mark}`)
    const hash = hashAt(mark, 0)
    isBeginning[hash] = 1
    beginning[hash] = [...(beginning[hash] ?? []), mark]
  }

  /** The first of them that stands here, of those that begin so. */
  function markOf(hash: number, text: string, at: number): string | undefined {
    const alike = beginning[hash] ?? NONE
    for (let n = 0; n < alike.length; n += 1) {
      if (standsAt(text, at, alike[n] as string)) return alike[n]
    }
    return undefined
  }

  return {
    markAt: (text: string, at: number) => markOf(hashAt(text, at), text, at),
    /** Where the next one stands; -1 where none does. */
    indexIn(text: string, from: number): number {
      let hash = withNext(text.charCodeAt(from), text.charCodeAt(from + 1))
      for (let at = from + LETTERS - 1; at < text.length; at += 1) {
        hash = withNext(hash, text.charCodeAt(at))
        const start = at - LETTERS + 1
        if (isBeginning[hash] === 1 && markOf(hash, text, start) !== undefined) return start
      }
      return -1
    },
  }
}

const NONE: string[] = []

const hashAt = (text: string, at: number) =>
  withNext(withNext(text.charCodeAt(at), text.charCodeAt(at + 1)), text.charCodeAt(at + 2))

/** Letter by letter: most differ in their fourth, and to call for it takes longer than that. */
function standsAt(text: string, at: number, mark: string): boolean {
  for (let n = 0; n < mark.length; n += 1) {
    if (text.charCodeAt(at + n) !== mark.charCodeAt(n)) return false
  }
  return true
}
