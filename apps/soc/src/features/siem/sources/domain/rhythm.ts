const HOUR_MS = 3_600_000
const WEEK_HOURS = 168
const WEEKS = 4
/** Room for a clock, a restart of the sender or a slow network. */
const MARGIN_MS = 15 * 60_000
const STRETCH = 1.25
/** Two silences of nearly the same length, at the same time of the week, are a habit. */
const ALIKE = 0.8
/** Beyond this nobody needs to know yet when silence will be too long. */
const FORESEEN_HOURS = 8 * 24

/** What is known of a source. Hours are counted since 1970. */
export type SourceHistory = {
  /** Its first hour ever. */
  firstHour: number
  /** Hours in which something came, with the longest silence that ended in each. */
  active: ReadonlyMap<number, number>
  /** Whether we took in events then; an hour without us says nothing. */
  isWatched(hour: number): boolean
}

/**
 * When the silence that began at `since` is longer than this source is usually silent at that time
 * of the week; nothing while that is not known. Compared is how long it had been silent at the same
 * hour in earlier weeks, an hour earlier or later allowed: so nights, weekends and batches
 * that come at their time are no alarm, and one that comes at any time is given its usual pauses.
 */
export function silentFrom(history: SourceHistory, since: number, now: number): number | undefined {
  const usual = secondLongest(surprisingGaps(history))
  const first = Math.floor(Math.max(since, now) / HOUR_MS)
  for (let hour = first; hour < first + FORESEEN_HOURS; hour += 1) {
    const before = usualSilence(history, hour)
    if (before === undefined) continue
    const limit = STRETCH * Math.max(before, usual) + MARGIN_MS
    const due = Math.max(hour * HOUR_MS, since + limit)
    if (due < (hour + 1) * HOUR_MS) return due
  }
  return undefined
}

/** How silent it was at this hour in earlier weeks; an odd one out of three or more is left out. */
function usualSilence(history: SourceHistory, hour: number): number | undefined {
  const weeks: number[] = []
  for (let week = 1; week <= WEEKS; week += 1) {
    const then = hour - week * WEEK_HOURS
    if (silenceAt(history, then) === undefined) continue
    weeks.push(longestAround(history, then))
  }
  if (weeks.length === 0) return undefined
  return weeks.length < 3 ? Math.max(...weeks) : secondLongest(weeks)
}

function longestAround(history: SourceHistory, hour: number): number {
  const around = [hour - 1, hour, hour + 1].map((one) => silenceAt(history, one) ?? 0)
  return Math.max(...around)
}

/** How long it had been silent at the end of an hour; nothing where nobody can know. */
function silenceAt(history: SourceHistory, hour: number): number | undefined {
  if (hour < history.firstHour) return undefined
  const gap = history.active.get(hour)
  if (gap !== undefined) return gap
  if (!history.isWatched(hour)) return undefined
  let silent = hour
  while (silent > history.firstHour && !history.active.has(silent)) silent -= 1
  return (hour + 1 - silent) * HOUR_MS
}

/** Silences that did not come at the same time in the weeks before and after. */
function surprisingGaps(history: SourceHistory): number[] {
  const gaps: number[] = []
  for (const [hour, gap] of history.active) {
    const others = [hour - WEEK_HOURS, hour + WEEK_HOURS].filter(
      (other) =>
        history.active.has(other - 1) || history.active.has(other) || history.active.has(other + 1),
    )
    const isUsual =
      others.length > 0 && others.every((other) => longestAround(history, other) >= ALIKE * gap)
    if (!isUsual) gaps.push(gap)
  }
  return gaps
}

/** The longest was perhaps a failure. */
const secondLongest = (lengths: number[]) => lengths.toSorted((a, b) => b - a)[1] ?? 0
