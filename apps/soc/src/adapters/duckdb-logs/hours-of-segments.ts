import { byHour, mergeHours, type Rollup } from './rollup.ts'
import type { Segment } from './segments.ts'

/** So many neighbours are added up together. */
const TOGETHER = 64

type Known = { of: readonly Rollup[]; hours: readonly Rollup[] }

/** By the first of them; good as long as all the others are the same too. */
const known = new WeakMap<Rollup, Known>()

/**
 * The counts by hour of segments that are in the order of their numbers. Those of full stretches of
 * neighbours are added up once: a long time is then a few thousand numbers instead of a few hundred
 * for each segment.
 */
export function hoursOf(segments: readonly Segment[]): Rollup[] {
  const hours: Rollup[] = []
  let stretch: Segment[] = []
  const add = () => {
    const rollups = stretch.flatMap((segment) => segment.rollups ?? [])
    hours.push(...(stretch.length === TOGETHER ? together(rollups) : rollups.map(byHour)))
  }
  for (const segment of segments) {
    const [first] = stretch
    if (first && stretchOf(first) !== stretchOf(segment)) {
      add()
      stretch = []
    }
    stretch.push(segment)
  }
  add()
  return hours
}

const stretchOf = ({ seg }: Segment) => Math.floor(seg / TOGETHER)

function together(rollups: readonly Rollup[]): readonly Rollup[] {
  const [first] = rollups
  if (!first) return []
  const before = known.get(first)
  if (before && isSame(before.of, rollups)) return before.hours
  const merged = mergeHours(rollups)
  const hours = merged ? [merged] : rollups.map(byHour)
  known.set(first, { of: rollups, hours })
  return hours
}

const isSame = (one: readonly Rollup[], other: readonly Rollup[]) =>
  one.length === other.length && one.every((rollup, at) => rollup === other[at])
