import type { LogRecord } from '@manara/log-query/event'
import type { Sequence } from '@manara/soc-contract/detections'
import type { Detector } from './detector.ts'
import { groupKey } from './group-key.ts'

type Seen = { id: string; at: number }

/** Each step by its own names of the group, so that one event may stand in two groups. */
export function createSequence(sequence: Sequence): Detector {
  const { steps, group_by, window_seconds, is_ordered } = sequence
  const spanMs = window_seconds * 1_000
  const advance = is_ordered ? inOrder(steps.length, spanMs) : inAnyOrder(steps.length, spanMs)

  function stepsByGroup(log: LogRecord, matched: number[]): Map<string, number[]> {
    const groups = new Map<string, number[]>()
    for (const step of matched) {
      const key = groupKey(log, steps[step]?.group_by ?? group_by)
      if (key !== undefined) groups.set(key, [...(groups.get(key) ?? []), step])
    }
    return groups
  }

  return {
    feed(log, matched) {
      let members: string[] | undefined
      for (const [key, stepsOfGroup] of stepsByGroup(log, matched)) {
        members = advance(key, { id: log.id, at: log.at }, stepsOfGroup) ?? members
      }
      return members && { log, members }
    },
  }
}

type Advance = (key: string, event: Seen, steps: number[]) => string[] | undefined

/**
 * For every step the newest chain of events that ends with it: the chain with the latest beginning.
 * A chain is complete with the first event of the last step after it.
 */
function inOrder(length: number, spanMs: number): Advance {
  const chains = new Map<string, (Seen[] | undefined)[]>()
  return (key, event, steps) => {
    const group = chains.get(key) ?? Array.from({ length })
    chains.set(key, group)
    let complete: string[] | undefined
    // Backwards: an event that fits two steps is one of them, never both.
    for (const step of steps.toSorted((a, b) => b - a)) {
      const before = step === 0 ? [] : group[step - 1]
      if (!before || (before[0] && before[0].at <= event.at - spanMs)) continue
      const chain = [...before, event]
      if (step < length - 1) group[step] = chain
      else {
        complete = chain.map(({ id }) => id)
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
  return (key, event, steps) => {
    const group: Group = groups.get(key) ?? { newest: Array.from({ length }), wholeAt: -Infinity }
    groups.set(key, group)
    for (const step of steps) group.newest[step] = event
    const inside = group.newest.filter((seen) => seen && seen.at > event.at - spanMs) as Seen[]
    const isWhole = inside.length === length
    const isHit = isWhole && group.wholeAt <= event.at - spanMs
    group.wholeAt = isWhole ? event.at : -Infinity
    if (!isHit) return undefined
    const inTime = inside.toSorted((a, b) => a.at - b.at)
    return [...new Set(inTime.map(({ id }) => id))]
  }
}
