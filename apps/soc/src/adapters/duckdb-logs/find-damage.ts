import { describe } from './damages.ts'
import type { Partition } from './database.ts'
import { markOf } from './marks.ts'
import { NO_BUDGET } from './readers.ts'
import type { Segment } from './segments.ts'
import type { Store } from './store.ts'

/** What the engine says of a block whose checksum is wrong. */
export const isCorrupt = (error: unknown) => /Corrupt database file/i.test(String(error))

/**
 * Finds the segments that cannot be read any more, of all partitions, and leaves them out from now
 * on. True when there were any that were not known: then what failed is worth another try.
 */
export async function findDamage(store: Store, warn: (text: string) => void): Promise<boolean> {
  let isNew = false
  for (const partition of store.partitions) {
    const segments = store.segments.filter(
      (segment) => segment.partition === partition && !segment.isLost,
    )
    const lost = await unreadable(store, partition, segments)
    if (lost.length === 0) continue
    isNew = true
    for (const segment of lost) segment.isLost = true
    const mark = markOf(lost)
    const reason = `${lost.length} of ${segments.length} parts of ${partition.name}.duckdb cannot be read`
    store.damages.add({
      ...describe(partition.name, reason, mark, mark.events),
      segments: lost.map(({ seg }) => seg),
      foundAt: Date.now(),
    })
    warn(`${reason}: restore the file from a backup, see docs/log-store.md`)
  }
  return isNew
}

/** By halves: a whole partition is read once when all is well. */
async function unreadable(
  store: Store,
  partition: Partition,
  segments: Segment[],
): Promise<Segment[]> {
  const [first, last] = [segments[0], segments.at(-1)]
  if (!first || !last || (await isReadable(store, partition, first.seg, last.seg))) return []
  if (segments.length === 1) return segments
  const middle = Math.ceil(segments.length / 2)
  const halves = [segments.slice(0, middle), segments.slice(middle)]
  const found: Segment[] = []
  for (const half of halves) found.push(...(await unreadable(store, partition, half)))
  return found
}

async function isReadable({ readers }: Store, { alias }: Partition, first: number, last: number) {
  try {
    // A hash of whole rows reads every column.
    const sql = `SELECT bit_xor(hash(logs)) FROM ${alias}.logs WHERE seg BETWEEN $1 AND $2`
    await readers.read(sql, [first, last], NO_BUDGET)
    return true
  } catch (error) {
    if (isCorrupt(error)) return false
    throw error
  }
}
