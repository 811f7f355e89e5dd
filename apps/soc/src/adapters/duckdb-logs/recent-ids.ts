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

/**
 * Up to eight tables, and for each hash one bit a table that says whether it may be there: an id that
 * nobody knows is one look at memory, not one for each table. Small ones have no such bits.
 */
type Shelf = { tables: (Table | undefined)[]; bits: Uint8Array | undefined }

const SHELF_TABLES = 8
/** With so many bytes for each slot of a table, every sixth id is looked for there in vain. */
const BYTES_A_SLOT = 4

export type RecentIds = ReturnType<typeof createRecentIds>

/**
 * Which ids were stored within the last day, as hashes of 64 bits, about 16 bytes each. Two
 * different ids are taken for one about once in a million days of five million events. A full
 * table is followed by the next, and goes a day after its last id. There is room for `expected` at
 * once, for more it grows.
 */
export function createRecentIds({ tableIds = 3 << 19, expected = 0 } = {}) {
  let newest = newTable(slotsFor(expected))
  let shelf: Shelf = { tables: [newest], bits: undefined }
  let shelves = [shelf]

  function forgetBefore(second: number) {
    for (const { tables } of shelves) {
      for (const [at, table] of tables.entries()) {
        if (table && table.last < second) tables[at] = undefined
      }
    }
    shelves = shelves.filter((one) => one === shelf || one.tables.some(Boolean))
  }

  function addTable(second: number) {
    const { slots } = newest
    forgetBefore(second - DAY_MS / 1000)
    shelf.bits ??= bitsOf(newest, slots * BYTES_A_SLOT)
    newest = newTable(slots)
    if (shelf.tables.length === SHELF_TABLES) {
      shelf = { tables: [], bits: new Uint8Array(slots * BYTES_A_SLOT) }
      shelves.push(shelf)
    }
    shelf.tables.push(newest)
  }

  function addHash(high: number, low: number, second: number) {
    if (newest.ids >= tableIds) addTable(second)
    else if (newest.ids * 4 >= newest.slots * 3) {
      newest = doubled(newest)
      shelf.tables[shelf.tables.length - 1] = newest
    }
    put(newest, high, low, second)
    const { bits, tables } = shelf
    if (bits) setBit(bits, high, tables.length - 1)
  }

  function hasHash(high: number, low: number, receivedAt: number): boolean {
    const since = (receivedAt - DAY_MS) / 1000
    for (const { tables, bits } of shelves) {
      let may = bits ? (bits[high & (bits.length - 1)] as number) : 1
      for (let at = 0; may !== 0; at++, may >>>= 1) {
        const table = tables[at]
        if (!table || (may & 1) === 0) continue
        const place = find(table, high, low)
        if (table.numbers[place] !== 0 && (table.numbers[place + 2] as number) > since) return true
      }
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

/** The place in a table is made of the lower half of a hash, that of its bits of the upper. */
function setBit(bits: Uint8Array, high: number, table: number) {
  const at = high & (bits.length - 1)
  bits[at] = (bits[at] as number) | (1 << table)
}

/** Of the first table on a shelf. */
function bitsOf({ numbers }: Table, bytes: number): Uint8Array {
  const bits = new Uint8Array(bytes)
  for (let at = 0; at < numbers.length; at += 3) {
    if (numbers[at] !== 0) setBit(bits, numbers[at + 1] as number, 0)
  }
  return bits
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
