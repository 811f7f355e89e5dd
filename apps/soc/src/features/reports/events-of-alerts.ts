import type { Alert } from '@manara/soc-contract/alerts'
import type { Log } from '@manara/soc-contract/siem'
import { caseEvent } from './domain/case-event.ts'
import { type CaseEvent, type CaseMaterial, MOST } from './domain/material.ts'

/** In the order in which they happened; of an alert that has very many, the first. */
export async function eventsOfAlerts(
  eventsOf: (alert: Alert, most: number) => Promise<Log[]>,
  alerts: Alert[],
): Promise<Pick<CaseMaterial, 'events' | 'areEventsCut'>> {
  const found = new Map<string, CaseEvent>()
  let areEventsCut = false
  for (const alert of alerts) {
    if (found.size === MOST.events && areEventsCut) break
    const events = await eventsOf(alert, MOST.eventsOfAlert + 1)
    areEventsCut ||= events.length > MOST.eventsOfAlert
    for (const log of events.slice(0, MOST.eventsOfAlert)) {
      if (found.has(log.id)) continue
      if (found.size < MOST.events) found.set(log.id, caseEvent(log))
      else areEventsCut = true
    }
  }
  const events = [...found.values()].toSorted((a, b) => Date.parse(a.at) - Date.parse(b.at))
  return { events, areEventsCut }
}
