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
  const { count, group_by, window_seconds, distinct_field } = threshold
  const groups = new Map<string, { window: SlidingWindow; wasOver: boolean }>()

  function countedValue(log: LogRecord): string | undefined {
    return distinct_field === null ? log.id : foldedText(log, distinct_field)
  }

  return {
    feed(log) {
      const key = groupKey(log, group_by)
      const value = countedValue(log)
      if (key === undefined || value === undefined) return undefined
      let group = groups.get(key)
      if (!group) {
        group = { window: createSlidingWindow(window_seconds * 1_000), wasOver: false }
        groups.set(key, group)
      }
      group.window.add({ id: log.id, at: log.at, value })
      const isOver = group.window.distinct() >= count
      const isHit = isOver && !group.wasOver
      group.wasOver = isOver
      return isHit ? { log, members: group.window.newestIds() } : undefined
    },
  }
}
