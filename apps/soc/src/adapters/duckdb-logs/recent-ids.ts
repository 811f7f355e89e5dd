import { DAY_MS } from './database.ts'
import { type Hashes, hashesOf } from './id-hashes.ts'

/**
 * Open addressing. A slot has three numbers beside each other, so that one look at memory finds all:
 * the lower half of an id's hash (0 when it is empty), the upper half, and when the id was taken in,
 * in seconds.
 */
type Table = { slots: number; numbers: Uint32Array; ids: number; last: number }

const newTable = (slots: number): Table => ({
  slots,
  numbers: new Uint32Array(slots * 3),
  ids: 0,
  last: 0,
})

const FIRST_SLOTS = 1 << 10

export type RecentIds = ReturnType<typeof createRecentIds>

/**
 * Which ids were stored within the last day, as hashes of 64 bits, about 16 bytes each. Two
 * different ids are taken for one about once in a million days of five million events. A full
 * table is followed by the next, and goes a day after its last id. There is room for `expected` at
 * once, for more it grows.
 */
export function createRecentIds({ tableIds = 3 << 19, expected = 0 } = {}) {
  let tables: [Table, ...Table[]] = [newTable(slotsFor(expected))]

  function forgetBefore(second: number) {
    const [newest, ...older] = tables
    if (older.some(({ last }) => last < second)) {
      tables = [newest, ...older.filter(({ last }) => last >= second)]
    }
  }

  function addHash(high: number, low: number, second: number) {
    let [newest] = tables
    if (newest.ids >= tableIds) {
      newest = newTable(newest.slots)
      tables = [newest, ...tables]
      forgetBefore(second - DAY_MS / 1000)
    } else if (newest.ids * 4 >= newest.slots * 3) {
      newest = doubled(newest)
      tables[0] = newest
    }
    put(newest, high, low, second)
  }

  function hasHash(high: number, low: number, receivedAt: number): boolean {
    const since = (receivedAt - DAY_MS) / 1000
    for (const table of tables) {
      const at = find(table, high, low)
      if (table.numbers[at] !== 0 && (table.numbers[at + 2] as number) > since) return true
    }
    return false
  }

  function addHashes(hashes: Hashes) {
    for (let i = 0; i < hashes.length; i += 3) {
      addHash(hashes[i] as number, hashes[i + 1] as number, hashes[i + 2] as number)
    }
  }

  return {
    hasHash,
    has(id: string, receivedAt: number): boolean {
      const [high = 0, low = 0] = hashesOf([{ id, received_at: receivedAt }])
      return hasHash(high, low, receivedAt)
    },
    add: (id: string, receivedAt: number) => addHashes(hashesOf([{ id, received_at: receivedAt }])),
    addHash,
    addHashes,
  }
}

function slotsFor(ids: number): number {
  let slots = FIRST_SLOTS
  while (ids * 4 >= slots * 3) slots *= 2
  return slots
}

/** Where the numbers of the id are, or of the empty slot where it belongs. */
function find({ slots, numbers }: Table, high: number, low: number): number {
  let slot = low & (slots - 1)
  while (numbers[slot * 3] !== 0 && (numbers[slot * 3] !== low || numbers[slot * 3 + 1] !== high)) {
    slot = (slot + 1) & (slots - 1)
  }
  return slot * 3
}

function put(table: Table, high: number, low: number, second: number) {
  const { numbers } = table
  const at = find(table, high, low)
  if (numbers[at] === 0) table.ids += 1
  numbers[at] = low
  numbers[at + 1] = high
  numbers[at + 2] = second
  table.last = Math.max(table.last, second)
}

function doubled({ slots, numbers }: Table): Table {
  const next = newTable(slots * 2)
  for (let at = 0; at < numbers.length; at += 3) {
    const low = numbers[at] as number
    if (low !== 0) put(next, numbers[at + 1] as number, low, numbers[at + 2] as number)
  }
  return next
}
