import type { LogRecord } from '@manara/log-query/event'
import type { Sequence } from '@manara/soc-contract/detections'
import type { Detector } from './detector.ts'
import { groupKey } from './group-key.ts'
import { createCount } from './threshold.ts'

/** What a step has seen: one event, or those whose number it wants, the last of them now. */
type Seen = { ids: string[]; at: number }
type Taken = { step: number; seen: Seen }

/** Each step by its own names of the group, so that one event may stand in two groups. */
export function createSequence(sequence: Sequence): Detector {
  const { steps, group_by, window_seconds, is_ordered } = sequence
  const spanMs = window_seconds * 1_000
  const counts = steps.map(({ threshold }) => threshold && createCount(threshold))
  const advance = is_ordered ? inOrder(steps.length, spanMs) : inAnyOrder(steps.length, spanMs)

  /** Of a step with a number only when so many are there; each of more is one again. */
  function seenBy(step: number, log: LogRecord): Seen | undefined {
    const countOf = counts[step]
    if (!countOf) return { ids: [log.id], at: log.at }
    const count = countOf(log)
    return count?.isOver ? { ids: count.members(), at: log.at } : undefined
  }

  function takenByGroup(log: LogRecord, matched: number[]): Map<string, Taken[]> {
    const groups = new Map<string, Taken[]>()
    for (const step of matched) {
      const seen = seenBy(step, log)
      const key = groupKey(log, steps[step]?.group_by ?? group_by)
      if (seen && key !== undefined) groups.set(key, [...(groups.get(key) ?? []), { step, seen }])
    }
    return groups
  }

  return {
    feed(log, matched) {
      let members: string[] | undefined
      for (const [key, taken] of takenByGroup(log, matched)) {
        members = advance(key, log.at, taken) ?? members
      }
      return members && { log, members }
    },
  }
}

type Advance = (key: string, at: number, taken: Taken[]) => string[] | undefined

const idsOf = (seen: Seen[]) => [...new Set(seen.flatMap(({ ids }) => ids))]

/**
 * For every step the newest chain of events that ends with it: the chain with the latest beginning.
 * A chain is complete with the first event of the last step after it.
 */
function inOrder(length: number, spanMs: number): Advance {
  const chains = new Map<string, (Seen[] | undefined)[]>()
  return (key, at, taken) => {
    const group = chains.get(key) ?? Array.from({ length })
    chains.set(key, group)
    let complete: string[] | undefined
    // Backwards: an event that fits two steps is one of them, never both.
    for (const { step, seen } of taken.toSorted((a, b) => b.step - a.step)) {
      const before = step === 0 ? [] : group[step - 1]
      if (!before || (before[0] && before[0].at <= at - spanMs)) continue
      const chain = [...before, seen]
      if (step < length - 1) group[step] = chain
      else {
        complete = idsOf(chain)
        group[step - 1] = undefined
      }
    }
    return complete
  }
}

/** A hit when the last missing step comes; the next only after one of them is too old again. */
function inAnyOrder(length: number, spanMs: number): Advance {
  type Group = { newest: (Seen | undefined)[]; wholeAt: number }
  const groups = new Map<string, Group>()
  return (key, at, taken) => {
    const group: Group = groups.get(key) ?? { newest: Array.from({ length }), wholeAt: -Infinity }
    groups.set(key, group)
    for (const { step, seen } of taken) group.newest[step] = seen
    const inside = group.newest.filter((seen) => seen && seen.at > at - spanMs) as Seen[]
    const isWhole = inside.length === length
    const isHit = isWhole && group.wholeAt <= at - spanMs
    group.wholeAt = isWhole ? at : -Infinity
    if (!isHit) return undefined
    return idsOf(inside.toSorted((a, b) => a.at - b.at))
  }
}
