import { startTurns } from '@manara/kit/turns'
import type { Query } from '@manara/log-query/ast'
import type { LogRecord } from '@manara/log-query/event'
import { matchMany } from '@manara/log-query/match-many/match-many'

export type Matched<Rule> = {
  watched: Rule
  /** Which of the rule's queries match. */
  steps: number[]
}

/** Which rules an event concerns, however many there are. */
export async function compileRules<Rule extends { queries: Query[] }>(rules: Rule[]) {
  const turn = startTurns()
  const places = new Map<string, { watched: Rule; step: number }>()
  const many = matchMany([])
  for (const [place, watched] of rules.entries()) {
    for (const [step, query] of watched.queries.entries()) {
      const id = `${place} ${step}`
      places.set(id, { watched, step })
      many.set({ id, query })
    }
    await turn()
  }
  return (log: LogRecord): Matched<Rule>[] => {
    const matched = new Map<Rule, number[]>()
    for (const id of many.match(log)) {
      const place = places.get(id)
      if (!place) continue
      const steps = matched.get(place.watched)
      if (steps) steps.push(place.step)
      else matched.set(place.watched, [place.step])
    }
    return [...matched].map(([watched, steps]) => ({ watched, steps: steps.sort() }))
  }
}
