import { nearestNames } from '@manara/kit/nearest-names'
import { COMMON_FIELDS, locate } from '@manara/log-query/event'
import { EVENT_DATA, FIELD_ALIASES } from './field-aliases.ts'

export type FieldCatalogue = ReturnType<typeof createFieldCatalogue>

/** More names than this are not kept: then a name that is not known proves nothing. */
const MOST_NAMES = 20_000
/** Of events of these days the names are known soon after the start. */
export const RECENT_DAYS = 7
const OWN = new Set<string>([...COMMON_FIELDS, 'timestamp'])

/** The names that stored events have, to find a field however somebody spells it. */
export function createFieldCatalogue() {
  const spellings = new Map<string, Set<string>>()
  const known = new Set<string>()
  let hasRead = false
  let hasReadAll = false

  /** Asked for every field of every event, and nearly all were there before. */
  function add(name: string) {
    if (known.has(name) || known.size >= MOST_NAMES) return
    known.add(name)
    const folded = name.toLowerCase()
    const spelled = spellings.get(folded)
    if (spelled) spelled.add(name)
    else spellings.set(folded, new Set([name]))
  }

  const spelled = (name: string): string[] => [...(spellings.get(name.toLowerCase()) ?? [])]

  /** Every place a name may mean, the name itself first; one that is a column means only that. */
  function placesOf(name: string): string[] {
    if (OWN.has(name) || name.startsWith('fields.')) return [name]
    const folded = name.toLowerCase()
    const aliases = (FIELD_ALIASES.get(folded) ?? []).flatMap((alias) =>
      OWN.has(alias) ? [alias] : spelled(alias),
    )
    const places = [
      ...(OWN.has(folded) ? [folded] : []),
      ...spelled(name),
      ...aliases,
      ...(EVENT_DATA.test(name) ? spelled(name.replace(EVENT_DATA, '')) : []),
    ]
    return [...new Set([name, ...places])]
  }

  function isThere(place: string): boolean {
    const location = locate(place)
    if (location.kind !== 'field') return true
    return spellings.get(location.name.toLowerCase())?.has(location.name) ?? false
  }

  /** No event has it spelled so; never said before the stored ones were looked at. */
  const isMissing = (name: string): boolean =>
    hasRead && known.size < MOST_NAMES && !OWN.has(name) && !isThere(name)

  return {
    placesOf,
    /** How many names are known; it only grows. */
    size: () => known.size,
    /** Names of arriving events. */
    learn(events: { fields: Record<string, unknown> }[]) {
      for (const { fields } of events) for (const name in fields) add(name)
    },
    /** Names of what was stored before, in the last days at least. */
    read(names: string[], { areAll }: { areAll: boolean }) {
      for (const name of names) add(name)
      hasRead = true
      hasReadAll ||= areAll
    },
    /** Those of which can be said that none has a name. */
    looked: () => (hasReadAll ? 'event' : `event of the last ${RECENT_DAYS} days`),
    /** No event has it, under any spelling. Never said before the stored ones were looked at. */
    isUnknown(name: string): boolean {
      if (!hasRead || known.size >= MOST_NAMES || OWN.has(name)) return false
      return !placesOf(name).some(isThere)
    },
    isMissing,
    /** What events have that a search by this name would look at too. */
    otherPlaces: (name: string): string[] =>
      placesOf(name).filter((place) => place !== name && isThere(place)),
    /**
     * Where to count by a name: wherever a search by it looks and events have something. Columns first:
     * they hold it for all senders.
     */
    countedPlaces(name: string): string[] {
      const places = placesOf(name).filter((place) => !isMissing(place))
      if (places.length === 0) return [name]
      return places.toSorted((a, b) => Number(OWN.has(b)) - Number(OWN.has(a)))
    },
    nearest: (name: string) =>
      nearestNames(name, [...OWN, ...[...spellings.values()].flatMap((set) => [...set])]),
  }
}
