import { startTurns } from '@manara/kit/turns'
import type { Query } from '@manara/log-query/ast'
import type { LogRecord } from '@manara/log-query/event'
import { matchMany, type NamedQuery } from '@manara/log-query/match-many/match-many'

export type Matched<Rule> = {
  watched: Rule
  /** Which of the rule's queries match. */
  steps: number[]
}

/** Enough to tell what is rare and what is not; more at once would keep others waiting. */
const AT_FIRST = 100

/** Which rules an event concerns, however many there are. */
export async function compileRules<Rule extends { queries: Query[] }>(rules: Rule[]) {
  const turn = startTurns()
  const places = new Map<string, { watched: Rule; step: number }>()
  const named: NamedQuery[] = []
  for (const [place, watched] of rules.entries()) {
    for (const [step, query] of watched.queries.entries()) {
      const id = `${place} ${step}`
      places.set(id, { watched, step })
      named.push({ id, query })
    }
  }
  const many = matchMany(named.slice(0, AT_FIRST))
  for (const one of named.slice(AT_FIRST)) {
    many.set(one)
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
