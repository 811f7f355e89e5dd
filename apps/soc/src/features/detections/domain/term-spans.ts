/** Sightings of a value of which none lies more than the look-back after the one before it. */
export type Span = {
  /** The event in which the value was new; null for what was there before the rule began. */
  logId: string | null
  /** -Infinity where nothing can have come before. */
  firstAt: number
  lastAt: number
}

type Sighting = { at: number; id: string }

type Verdict = {
  isNew: boolean
  /** The event that counted as new until this one came late. */
  replaced: string | null
}

/**
 * Adds an event to the spans of its value, which are in order of time. Whatever the order in which
 * events come, and however often: what is new in the end is what would be if they came in order.
 */
export function see(spans: Span[], event: Sighting, lookBackMs: number): Verdict {
  const place = spans.findLastIndex((span) => !comesBefore(event, span))
  const [own, next] = [spans[place], spans[place + 1]]
  const isKnown = own?.logId === event.id || (own && event.at - own.lastAt <= lookBackMs)
  const span: Span =
    own && isKnown
      ? { ...own, lastAt: Math.max(own.lastAt, event.at) }
      : { logId: event.id, firstAt: event.at, lastAt: event.at }
  const joined = next && next.firstAt - span.lastAt <= lookBackMs ? next : undefined
  if (joined) span.lastAt = Math.max(span.lastAt, joined.lastAt)
  spans.splice(isKnown ? place : place + 1, (isKnown ? 1 : 0) + (joined ? 1 : 0), span)
  return { isNew: span.logId === event.id, replaced: joined?.logId ?? null }
}

function comesBefore({ at, id }: Sighting, { firstAt, logId }: Span): boolean {
  return at < firstAt || (at === firstAt && logId !== null && id < logId)
}
