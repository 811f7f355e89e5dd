/**
 * A set of 64-bit hashes in one flat array: a million takes 17 MB, and nothing for the collector to
 * walk. It may hold what was removed elsewhere, so whoever finds something asks the database.
 */
export type HashSet = {
  add(high: number, low: number): void
  has(high: number, low: number): boolean
  size(): number
}

const FEWEST_SLOTS = 1_024

export function createHashSet(): HashSet {
  let slots = FEWEST_SLOTS
  let table = new Uint32Array(slots * 2)
  let size = 0

  /** Where it is, or where it belongs. */
  function slotOf(high: number, low: number): number {
    let slot = (high & (slots - 1)) * 2
    while (true) {
      const there = table[slot]
      const beside = table[slot + 1]
      if ((there === 0 && beside === 0) || (there === high && beside === low)) return slot
      slot = slot + 2 === table.length ? 0 : slot + 2
    }
  }

  function grow() {
    const old = table
    slots *= 2
    table = new Uint32Array(slots * 2)
    for (let slot = 0; slot < old.length; slot += 2) {
      const high = old[slot] ?? 0
      const low = old[slot + 1] ?? 0
      if (high === 0 && low === 0) continue
      const at = slotOf(high, low)
      table[at] = high
      table[at + 1] = low
    }
  }

  // Two zeros mean an empty slot.
  const unsigned = (low: number) => low >>> 0 || 1

  return {
    add(high, low) {
      const [a, b] = [high >>> 0, unsigned(low)]
      const slot = slotOf(a, b)
      if (table[slot + 1] !== 0) return
      table[slot] = a
      table[slot + 1] = b
      size += 1
      if (size * 2 > slots) grow()
    },
    has(high, low) {
      return table[slotOf(high >>> 0, unsigned(low)) + 1] !== 0
    },
    size: () => size,
  }
}
