import type { Alert } from '@manara/soc-contract/alerts'
import type { Case, CaseDetail } from '@manara/soc-contract/cases'
import type { LedgerVerdict } from '@manara/soc-contract/evidence'
import type { StatsOverview } from '@manara/soc-contract/stats'

/** A longer list ends here, and the report says so. */
export const MOST = { actions: 500, cases: 200, events: 200, eventsOfAlert: 20 }

/** What was done about the case: playbooks, approvals, orders to endpoints. */
export type ResponseAction = { at: string; what: string; by: string; status: string }

export type Technique = { id: string; name: string; tactics: string[] }

/** What happened on the machines, by the events behind the alerts. */
export type CaseEvent = {
  at: string
  host: string
  user: string
  process: string
  /** The command line, or what the event says. */
  what: string
}

/** Everything a report of one case is made from, read at one moment. */
export type CaseMaterial = {
  detail: CaseDetail
  alerts: Alert[]
  ledger: LedgerVerdict
  techniques: (Technique & { alerts: number })[]
  /** The latest, and one more than are listed where there are more; so are the cases of a period. */
  actions: ResponseAction[]
  events: CaseEvent[]
  areEventsCut: boolean
}

/** Everything a report of the last thirty days is made from. */
export type PeriodMaterial = {
  numbers: StatsOverview
  cases: { summary: Case; ledger: LedgerVerdict }[]
  actions: ResponseAction[]
}
