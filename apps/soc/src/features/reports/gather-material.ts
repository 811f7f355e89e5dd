import type { Alert } from '@manara/soc-contract/alerts'
import type { Case, CaseDetail } from '@manara/soc-contract/cases'
import type { LedgerVerdict } from '@manara/soc-contract/evidence'
import type { Log } from '@manara/soc-contract/siem'
import type { StatsOverview } from '@manara/soc-contract/stats'
import type { Transaction } from 'kysely'
import { hiddenCases, hiding } from '../../core/access/reader.ts'
import type { Tables } from '../../db/tables.ts'
import { type CaseMaterial, MOST, type PeriodMaterial, type Technique } from './domain/material.ts'
import { eventsOfAlerts } from './events-of-alerts.ts'
import { actionsOfCase, actionsSince } from './read-actions.ts'

type Tx = Transaction<Tables>

/** What reports need of other features, all within one snapshot. */
export type Records = {
  atOneMoment<T>(read: (tx: Tx) => Promise<T>): Promise<T>
  caseDetail(tx: Tx, id: string): Promise<CaseDetail>
  casesSince(tx: Tx, from: Date, limit: number): Promise<Case[]>
  alertsOf(tx: Tx, caseId: string): Promise<Alert[]>
  verifyLedger(tx: Tx, caseId: string): Promise<LedgerVerdict>
  numbers(tx: Tx, now: Date): Promise<StatsOverview>
  techniqueOf(id: string): Technique | undefined
  /** The events behind an alert, as many of them as are still there. */
  eventsOf(tx: Tx, alert: Alert, most: number): Promise<Log[]>
}

const DAYS = 30

export function gatherCase(records: Records, caseId: string): Promise<CaseMaterial> {
  return records.atOneMoment(async (tx) => {
    const detail = await records.caseDetail(tx, caseId)
    const alerts = await records.alertsOf(tx, detail.id)
    return {
      detail,
      alerts,
      ledger: await records.verifyLedger(tx, detail.id),
      techniques: techniquesOf(alerts, records.techniqueOf),
      actions: await actionsOfCase(tx, detail.id, detail.merged_case_ids),
      ...(await eventsOfAlerts((alert, most) => records.eventsOf(tx, alert, most), alerts)),
    }
  })
}

/** What is the team's, whoever writes it: everybody with `reports:read` reads it. */
export function gatherPeriod(records: Records, now: Date): Promise<PeriodMaterial> {
  return records.atOneMoment(async (tx) => {
    const hidden = await hiddenCases(tx, { username: null, role: null })
    return hiding(hidden, () => ofTheTeam(records, tx, now))
  })
}

async function ofTheTeam(records: Records, tx: Tx, now: Date): Promise<PeriodMaterial> {
  const from = new Date(now.getTime() - DAYS * 86_400_000)
  const cases: PeriodMaterial['cases'] = []
  for (const summary of await records.casesSince(tx, from, MOST.cases + 1)) {
    cases.push({ summary, ledger: await records.verifyLedger(tx, summary.id) })
  }
  const numbers = await records.numbers(tx, now)
  return { numbers, cases, actions: await actionsSince(tx, from) }
}

function techniquesOf(alerts: Alert[], techniqueOf: Records['techniqueOf']) {
  const named = alerts.flatMap(({ mitre_techniques }) => mitre_techniques)
  return [...Map.groupBy(named, (id) => id.toUpperCase())]
    .map(([id, times]) => ({
      ...(techniqueOf(id) ?? { id, name: 'not in the bundled list', tactics: [] }),
      alerts: times.length,
    }))
    .sort((a, b) => b.alerts - a.alerts || a.id.localeCompare(b.id))
}
