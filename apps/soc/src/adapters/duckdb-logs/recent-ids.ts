import { DAY_MS } from './database.ts'

/** Open addressing: the two halves of an id's hash, and when it was taken in, in seconds. */
type Table = { high: Uint32Array; low: Uint32Array; second: Uint32Array; ids: number; last: number }

const newTable = (slots: number): Table => ({
  high: new Uint32Array(slots),
  low: new Uint32Array(slots),
  second: new Uint32Array(slots),
  ids: 0,
  last: 0,
})

const FIRST_SLOTS = 1 << 10

/** What `Hashes` mean: another way to make them needs another number. */
export const HASH_VERSION = 1

/** Of each id the two halves of its hash and the second at which it was taken in. */
export type Hashes = Uint32Array

type Taken = { id: string; received_at: number }

export type RecentIds = ReturnType<typeof createRecentIds>

/**
 * Which ids were stored within the last day, as hashes of 64 bits, about 16 bytes each. Two
 * different ids are taken for one about once in a million days of five million events. A full
 * table is followed by the next, and goes a day after its last id.
 */
export function createRecentIds(tableIds = 3 << 19) {
  let tables: [Table, ...Table[]] = [newTable(FIRST_SLOTS)]
  const hash = new Uint32Array(2)

  function forgetBefore(second: number) {
    const [newest, ...older] = tables
    if (older.some(({ last }) => last < second)) {
      tables = [newest, ...older.filter(({ last }) => last >= second)]
    }
  }

  function addHash(high: number, low: number, second: number) {
    let [newest] = tables
    if (newest.ids >= tableIds) {
      newest = newTable(newest.low.length)
      tables = [newest, ...tables]
      forgetBefore(second - DAY_MS / 1000)
    } else if (newest.ids * 4 >= newest.low.length * 3) {
      newest = doubled(newest)
      tables[0] = newest
    }
    put(newest, high, low, second)
  }

  function addHashes(hashes: Hashes) {
    for (let i = 0; i < hashes.length; i += 3) {
      addHash(hashes[i] as number, hashes[i + 1] as number, hashes[i + 2] as number)
    }
  }

  return {
    has(id: string, receivedAt: number): boolean {
      hashInto(hash, id)
      const since = (receivedAt - DAY_MS) / 1000
      for (const table of tables) {
        const slot = find(table, hash[0] as number, hash[1] as number)
        if (table.low[slot] !== 0 && (table.second[slot] ?? 0) > since) return true
      }
      return false
    },
    add: (id: string, receivedAt: number) => addHashes(hashesOf([{ id, received_at: receivedAt }])),
    addHashes,
  }
}

export function hashesOf(taken: readonly Taken[]): Hashes {
  const hashes = new Uint32Array(taken.length * 3)
  for (const [at, { id, received_at }] of taken.entries()) {
    hashInto(hashes, id, at * 3)
    hashes[at * 3 + 2] = Math.max(0, Math.floor(received_at / 1000))
  }
  return hashes
}

/** As they are noted. */
export const bytesOf = ({ buffer, byteOffset, byteLength }: Hashes) =>
  new Uint8Array(buffer, byteOffset, byteLength)

/** Where the id is, or the empty slot where it belongs. */
function find({ low, high }: Table, wantedHigh: number, wantedLow: number): number {
  const mask = low.length - 1
  let slot = wantedLow & mask
  while (low[slot] !== 0 && (low[slot] !== wantedLow || high[slot] !== wantedHigh)) {
    slot = (slot + 1) & mask
  }
  return slot
}

function put(table: Table, high: number, low: number, second: number) {
  const slot = find(table, high, low)
  if (table.low[slot] === 0) table.ids += 1
  table.low[slot] = low
  table.high[slot] = high
  table.second[slot] = second
  table.last = Math.max(table.last, second)
}

function doubled(table: Table): Table {
  const next = newTable(table.low.length * 2)
  table.low.forEach((low, slot) => {
    if (low !== 0) put(next, table.high[slot] as number, low, table.second[slot] as number)
  })
  return next
}

/** The two halves of cyrb53; the second is never 0, which means an empty slot. */
function hashInto(hash: Uint32Array, text: string, at = 0) {
  let a = 0xdeadbeef
  let b = 0x41c6ce57
  for (let i = 0; i < text.length; i++) {
    const unit = text.charCodeAt(i)
    a = Math.imul(a ^ unit, 2654435761)
    b = Math.imul(b ^ unit, 1597334677)
  }
  a = Math.imul(a ^ (a >>> 16), 2246822507) ^ Math.imul(b ^ (b >>> 13), 3266489909)
  b = Math.imul(b ^ (b >>> 16), 2246822507) ^ Math.imul(a ^ (a >>> 13), 3266489909)
  hash[at] = a
  hash[at + 1] = b === 0 ? 1 : b
}
