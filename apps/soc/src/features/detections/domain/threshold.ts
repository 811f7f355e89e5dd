import type { LogRecord } from '@manara/log-query/event'
import type { Threshold } from '@manara/soc-contract/detections'
import type { Detector } from './detector.ts'
import { foldedText, groupKey } from './group-key.ts'
import { createSlidingWindow, type SlidingWindow } from './sliding-window.ts'

/**
 * A hit when the count of a group reaches the threshold; the next only after the count has fallen
 * below it. Deciding so needs two windows of events: one up to this event, one up to the last.
 */
export function createThreshold(threshold: Threshold): Detector {
  const countOf = createCount(threshold)
  const over = new Set<string>()
  return {
    feed(log) {
      const count = countOf(log)
      if (!count) return undefined
      const wasOver = over.has(count.group)
      if (count.isOver) over.add(count.group)
      else over.delete(count.group)
      return count.isOver && !wasOver ? { log, members: count.members() } : undefined
    },
  }
}

type Count = { group: string; isOver: boolean; members(): string[] }

/** How it stands with the group of an event, itself counted; undefined when it is not counted. */
export function createCount(threshold: Threshold): (log: LogRecord) => Count | undefined {
  const { count, group_by, window_seconds, distinct_field } = threshold
  const groups = new Map<string, SlidingWindow>()
  return (log) => {
    const group = groupKey(log, group_by)
    const value = distinct_field === null ? log.id : foldedText(log, distinct_field)
    if (group === undefined || value === undefined) return undefined
    const window = groups.get(group) ?? createSlidingWindow(window_seconds * 1_000)
    groups.set(group, window)
    window.add({ id: log.id, at: log.at, value })
    return { group, isOver: window.distinct() >= count, members: window.newestIds }
  }
}
