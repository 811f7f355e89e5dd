import type { Alert } from '@manara/soc-contract/alerts'
import type { Case, CaseDetail } from '@manara/soc-contract/cases'
import type { LedgerVerdict } from '@manara/soc-contract/evidence'
import type { StatsOverview } from '@manara/soc-contract/stats'

/** What was done about the case: playbooks, approvals, orders to endpoints. */
export type ResponseAction = { at: string; what: string; by: string; status: string }

export type Technique = { id: string; name: string; tactics: string[] }

/** Everything a report of one case is made from, read at one moment. */
export type CaseMaterial = {
  detail: CaseDetail
  alerts: Alert[]
  ledger: LedgerVerdict
  techniques: (Technique & { alerts: number })[]
  actions: ResponseAction[]
}

/** Everything a report of the last thirty days is made from. */
export type PeriodMaterial = {
  numbers: StatsOverview
  cases: { summary: Case; ledger: LedgerVerdict }[]
  actions: ResponseAction[]
}
