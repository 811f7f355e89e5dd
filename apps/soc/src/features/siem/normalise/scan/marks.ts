/** So many bits of two letters tell most pairs apart. */
const PAIRS = 2 ** 12

const hashOf = (first: number, second: number) => ((first << 5) ^ second) & (PAIRS - 1)

/** Looks for many texts of two letters or more at once, by how each begins. */
export function createMarks(marks: Iterable<string>) {
  const beginning: string[][] = []
  const isBeginning = new Uint8Array(PAIRS)
  for (const mark of marks) {
    const hash = hashOf(mark.charCodeAt(0), mark.charCodeAt(1))
    isBeginning[hash] = 1
    beginning[hash] = [...(beginning[hash] ?? []), mark]
  }

  /** The first of them that stands here. */
  const markAt = (text: string, at: number): string | undefined =>
    beginning[hashOf(text.charCodeAt(at), text.charCodeAt(at + 1))]?.find((mark) =>
      text.startsWith(mark, at),
    )

  return {
    markAt,
    /** Where the next one stands; -1 where none does. */
    indexIn(text: string, from: number): number {
      let first = text.charCodeAt(from)
      for (let at = from + 1; at < text.length; at += 1) {
        const second = text.charCodeAt(at)
        const isMarked = isBeginning[hashOf(first, second)] === 1
        if (isMarked && markAt(text, at - 1) !== undefined) return at - 1
        first = second
      }
      return -1
    },
  }
}
