import type { Partition } from './database.ts'
import { noteRollup } from './finish-segment.ts'
import { NO_BUDGET } from './readers.ts'
import { type Entry, sumUp, unpackRollup } from './rollup.ts'
import { isOf } from './segment-notes.ts'
import { runsOf, type Segment } from './segments.ts'
import type { Store } from './store.ts'

const AT_ONCE = 256
const MINUTE_MS = 60_000

/** Gives each full segment what was noted of it; answers those of which nothing was. */
export function readRollups(
  { notes, keys }: Pick<Store, 'notes' | 'keys'>,
  { name }: Partition,
  segments: Segment[],
): Segment[] {
  const bySeg = new Map(segments.filter(({ filter }) => filter).map((one) => [one.seg, one]))
  for (const { stamp, note } of notes.rollups.read(name)) {
    const segment = bySeg.get(stamp.seg)
    if (!segment || !isOf(stamp, segment)) continue
    bySeg.delete(stamp.seg)
    segment.rollups = note.length === 0 ? undefined : [unpackRollup(note, keys)]
  }
  return [...bySeg.values()]
}

/** Of files that were written before there were rollups: until then their events are read. */
export async function makeRollups(store: Store, segments: Segment[], signal: AbortSignal) {
  for (const [partition, own] of Map.groupBy(segments, (segment) => segment.partition)) {
    for (const run of runsOf(own, AT_ONCE)) {
      if (signal.aborted || !store.partitions.includes(partition)) break
      await makeRun(store, partition, run)
    }
  }
}

async function makeRun(store: Store, { alias }: Partition, run: Segment[]) {
  const rows = await store.readers.read(
    `SELECT seg, CAST(floor(at_ms / ${MINUTE_MS}) AS BIGINT) * ${MINUTE_MS} AS at, source, severity, count(*)
     FROM ${alias}.logs WHERE seg BETWEEN $1 AND $2 GROUP BY ALL`,
    [run[0]?.seg ?? 0, run.at(-1)?.seg ?? 0],
    NO_BUDGET,
    2,
  )
  const bySeg = Map.groupBy(rows, ([seg]) => Number(seg))
  for (const segment of run) {
    const entries = (bySeg.get(segment.seg) ?? []).map(
      ([, at, source, severity, count]): Entry => ({
        at: Number(at),
        key: store.keys.numberOf(String(source), String(severity)),
        count: Number(count),
      }),
    )
    // What a damaged file has lost since is not counted with the rest.
    if (entries.reduce((sum, { count }) => sum + count, 0) !== segment.events) continue
    const rollup = sumUp(entries)
    segment.rollups = rollup && [rollup]
    noteRollup(store, segment)
  }
}
