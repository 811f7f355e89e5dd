import { DAY_MS } from './database.ts'
import { type Hashes, hashesOf } from './id-hashes.ts'

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

export type RecentIds = ReturnType<typeof createRecentIds>

/**
 * Which ids were stored within the last day, as hashes of 64 bits, about 16 bytes each. Two
 * different ids are taken for one about once in a million days of five million events. A full
 * table is followed by the next, and goes a day after its last id.
 */
export function createRecentIds(tableIds = 3 << 19) {
  let tables: [Table, ...Table[]] = [newTable(FIRST_SLOTS)]

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

  function hasHash(high: number, low: number, receivedAt: number): boolean {
    const since = (receivedAt - DAY_MS) / 1000
    for (const table of tables) {
      const slot = find(table, high, low)
      if (table.low[slot] !== 0 && (table.second[slot] ?? 0) > since) return true
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
