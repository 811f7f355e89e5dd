import type { Case, CaseDetail, CaseDetailQuery } from '@manara/soc-contract/cases'
import type { Kysely } from 'kysely'
import type { Tables } from '../../../db/tables.ts'
import { evidenceOf } from '../evidence/read-evidence.ts'
import { countsOf, partsOf } from '../parts/read-parts.ts'
import type { AlertsOfCases } from './alerts-of-cases.ts'
import { toCase, toComment, toObservable, toTask } from './case-record.ts'
import { caseById, familyOf } from './cases.store.ts'
import { timelineOf } from './timeline.ts'

/** The case with what belongs to it and to the cases merged into it: all, or the latest of it. */
export async function caseDetail(
  { alertIdsOf }: Pick<AlertsOfCases, 'alertIdsOf'>,
  db: Kysely<Tables>,
  id: string,
  which: CaseDetailQuery = {},
): Promise<CaseDetail> {
  const { latest } = which
  const row = await caseById(db, id)
  const family = await familyOf(db, row.id)
  // One after the other: within a transaction there is one connection.
  const alerts = await alertIdsOf(db, [row.id])
  const timeline = await timelineOf(db, family, latest)
  const observables = await partsOf(db, 'case_observables', family, latest)
  const comments = await partsOf(db, 'case_comments', family, latest)
  const tasks = await partsOf(db, 'case_tasks', family)
  return {
    ...toCase(row, alerts.get(row.id)?.map((alert) => alert.id) ?? []),
    merged_case_ids: family.slice(1),
    timeline,
    observables: observables.map(toObservable),
    evidence: await evidenceOf(db, family, which),
    comments: comments.map(toComment),
    tasks: tasks.map(toTask),
    ...(latest === undefined ? {} : { counts: await countsOf(db, family) }),
  }
}

/** The case alone, with the ids of its alerts. */
export async function readCase(
  { alertIdsOf }: Pick<AlertsOfCases, 'alertIdsOf'>,
  db: Kysely<Tables>,
  id: string,
): Promise<Case> {
  const row = await caseById(db, id)
  const linked = await alertIdsOf(db, [row.id])
  return toCase(row, linked.get(row.id)?.map((alert) => alert.id) ?? [])
}
