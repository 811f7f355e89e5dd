import { locate } from '../event.ts'
import type { TextLocation } from '../event-view.ts'
import type { Trigger } from './triggers.ts'

const MOST_FIELDS = 3
/** Of all rules. */
const LEAST_SHARE = 0.05
/** Rules for each text that is asked for: what only one or two ask for tells no source. */
const LEAST_RULES_PER_TEXT = 4

/** Counts what rules ask for, to see which fields tell where an event comes from. */
export function createSourceSurvey() {
  const asked = new Map<string, { location: TextLocation; rules: number; texts: Set<string> }>()
  let rules = 0

  const noted = (trigger: Trigger) => {
    if (trigger.kind !== 'literal') return undefined
    const { field, text, isStart, isEnd } = trigger.literal
    const location = field !== undefined && isStart && isEnd ? textLocation(field) : undefined
    if (!location) return undefined
    const known = asked.get(location.key) ?? { location, rules: 0, texts: new Set() }
    asked.set(location.key, known)
    known.texts.add(text)
    return known
  }

  return {
    add(triggers: Iterable<Trigger>) {
      rules += 1
      const ofRule = new Set<{ rules: number }>()
      for (const trigger of triggers) {
        const one = noted(trigger)
        if (one) ofRule.add(one)
      }
      for (const one of ofRule) one.rules += 1
    },
    /** Those in which many rules ask for one of few texts, as they do for a channel or a number. */
    fields: (): TextLocation[] =>
      [...asked.values()]
        .filter((of) => of.rules >= rules * LEAST_SHARE)
        .filter((of) => of.rules >= of.texts.size * LEAST_RULES_PER_TEXT)
        .toSorted((a, b) => b.rules - a.rules)
        .slice(0, MOST_FIELDS)
        .map(({ location }) => location),
  }
}

/** Undefined for the moment of an event, which has no text. */
export function textLocation(field: string): TextLocation | undefined {
  const location = locate(field)
  return location.kind === 'timestamp' ? undefined : location
}
