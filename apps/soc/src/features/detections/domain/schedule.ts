import type { DetectionRule } from '@manara/soc-contract/detections'

type Scheduled = Pick<DetectionRule, 'enabled' | 'schedule_enabled' | 'schedule_interval_minutes'>

const MINUTE = 60_000

const intervalMs = (rule: Pick<Scheduled, 'schedule_interval_minutes'>) =>
  rule.schedule_interval_minutes * MINUTE

/** Shown as soon as the schedule is on; a rule that is off keeps none. */
const isScheduled = (rule: Scheduled) => rule.enabled && rule.schedule_enabled

/** The first run comes after one interval and looks at that interval. */
export function beginSchedule(rule: Scheduled, now: number) {
  if (!isScheduled(rule)) return { next_run_at: null, covered_until: null }
  return { next_run_at: new Date(now + intervalMs(rule)), covered_until: new Date(now) }
}

/** Of a change: a rule switched on begins anew, another interval moves the next run only. */
export function changeSchedule(before: Scheduled, after: Scheduled, now: number) {
  if (!isScheduled(after) || !isScheduled(before)) return beginSchedule(after, now)
  if (intervalMs(before) === intervalMs(after)) return {}
  return { next_run_at: new Date(now + intervalMs(after)) }
}

/** On the rule's own beat; beats that passed meanwhile are made up for by one run. */
export function nextRun(rule: Scheduled, due: number, now: number): number {
  const interval = intervalMs(rule)
  return due + interval * Math.max(1, Math.floor((now - due) / interval) + 1)
}

/** Soon after the first failure, then ever slower, but never slower than the rule's own interval. */
export function retryAfterFailure(rule: Scheduled, failures: number, now: number): number {
  return now + Math.min(intervalMs(rule), MINUTE * 2 ** Math.min(failures, 12))
}

/**
 * Events become searchable a moment after their time of arrival, and clocks of several processes
 * differ. So a window begins a little before the end of the last one; hits are claimed, hence seen
 * twice but counted once.
 */
const OVERLAP_MS = 2 * MINUTE

export function runWindow(rule: Scheduled, covered: number, due: number, now: number) {
  return {
    from: covered - OVERLAP_MS,
    to: now,
    lateness_ms: Math.max(0, now - due),
    gap_ms: Math.max(0, now - covered - intervalMs(rule)),
  }
}
