import type { AlertCreate } from '@manara/soc-contract/alerts'
import { dedupHash } from './dedup-hash.ts'

/** An alert and how often it was seen. */
export type CountedAlert = { alert: AlertCreate; hash: string; occurrences: number }

/** The same alert of several callers, with their places in the order they came. */
type MergedAlert = CountedAlert & { places: number[] }

/**
 * Equal alerts as one that was seen as often, with the record of the first and all their times. By
 * hash, so that two who write the same ones lock them in the same order. Undefined when equal ones
 * differ in what they would change: those go one after the other.
 */
export function mergeEqual(alerts: AlertCreate[]): MergedAlert[] | undefined {
  const merged = new Map<string, MergedAlert>()
  for (const [place, alert] of alerts.entries()) {
    const hash = dedupHash(alert)
    const known = merged.get(hash)
    if (known && known.alert.status !== alert.status) return undefined
    merged.set(
      hash,
      known
        ? {
            alert: { ...known.alert, ...times(known.alert, alert) },
            hash,
            occurrences: known.occurrences + 1,
            places: [...known.places, place],
          }
        : { alert, hash, occurrences: 1, places: [place] },
    )
  }
  return [...merged.values()].toSorted((a, b) => (a.hash < b.hash ? -1 : 1))
}

/** Without a time it was seen now, and nothing is seen later than that. */
function times(a: AlertCreate, b: AlertCreate) {
  const firsts = [a.first_seen_at, b.first_seen_at].filter((moment) => moment !== undefined)
  const lasts = [a.last_seen_at, b.last_seen_at].filter((moment) => moment !== undefined)
  const by = (x: Date, y: Date) => x.getTime() - y.getTime()
  return {
    first_seen_at: firsts.toSorted(by)[0],
    last_seen_at: lasts.length < 2 ? undefined : lasts.toSorted(by).at(-1),
  }
}
