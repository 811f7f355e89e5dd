/** So many characters are looked up at once. */
export const GRAM = 4

/** Every four characters in a row as a number, of letters beyond Latin the lower half of each. */
export function gramsOf(text: string): number[] {
  const bytes = Buffer.from(text, 'latin1')
  const grams: number[] = []
  for (let at = 0; at + GRAM <= bytes.length; at++) grams.push(bytes.readInt32LE(at))
  return grams
}

/** The upper bits of a product depend on all bits of the gram. */
export const hashOf = (gram: number, shift: number) => Math.imul(gram, 0x9e3779b1) >>> shift

const LOG2 = 14

/** How often four characters stand in what rules look for: what many look for is in many events too. */
export type Commonness = { count(text: string): void; of(gram: number): number }

export function createCommonness(): Commonness {
  const counts = new Uint32Array(2 ** LOG2)
  return {
    count(text) {
      for (const gram of gramsOf(text)) {
        const at = hashOf(gram, 32 - LOG2)
        counts[at] = (counts[at] ?? 0) + 1
      }
    },
    of: (gram) => counts[hashOf(gram, 32 - LOG2)] ?? 0,
  }
}
