import { Severity } from '@manara/soc-contract/severity'
import type { Transaction } from 'kysely'
import type { ChangeContext } from '../../../core/change/operator-change.ts'
import type { Tables } from '../../../db/tables.ts'
import { note } from './cases.store.ts'

const rank = (severity: Severity) => Severity.options.indexOf(severity)

const worstOf = (all: [Severity, ...Severity[]]): Severity =>
  all.reduce((worst, one) => (rank(one) < rank(worst) ? one : worst))

type Parts = {
  /** What the case is by itself; undefined when nothing is merged, or it was not written down. */
  own: Severity | undefined
  merged: Severity[]
}

/** Of the cases that are merged into it now. */
export async function partsOf(tx: Transaction<Tables>, caseId: string): Promise<Parts> {
  const rows = await tx
    .selectFrom('case_merges')
    .innerJoin('cases', 'cases.id', 'case_merges.merged_case_id')
    .select(['own_severity', 'severity'])
    .where('case_id', '=', caseId)
    .where('unmerged_at', 'is', null)
    .execute()
  const own = rows.find(({ own_severity }) => own_severity !== null)?.own_severity ?? undefined
  return { own: own as Severity | undefined, merged: rows.map(({ severity }) => severity) }
}

/** What the case is by itself: what was written down, unless a person has changed it since. */
export async function ownSeverity(
  tx: Transaction<Tables>,
  target: { id: string; severity: Severity },
): Promise<Severity> {
  const { own, merged } = await partsOf(tx, target.id)
  return own && target.severity === worstOf([own, ...merged]) ? own : target.severity
}

/** One case is as bad as the worst of its parts. */
export async function takeHighest(
  change: ChangeContext,
  target: { id: string; severity: Severity },
  merged: { severity: Severity }[],
): Promise<void> {
  const worst = worstOf([target.severity, ...merged.map(({ severity }) => severity)])
  await setSeverity(change, target, worst, 'as the worst that was merged')
}

/** `before` is what it was made of until now: what a person has set since stays. */
export async function restoreSeverity(
  change: ChangeContext,
  target: { id: string; severity: Severity },
  before: Parts,
): Promise<void> {
  const { own } = before
  if (!own || target.severity !== worstOf([own, ...before.merged])) return
  const { merged } = await partsOf(change.tx, target.id)
  await setSeverity(change, target, worstOf([own, ...merged]), 'as before the merge')
}

async function setSeverity(
  change: ChangeContext,
  { id, severity }: { id: string; severity: Severity },
  wanted: Severity,
  why: string,
) {
  if (wanted === severity) return
  await change.tx.updateTable('cases').set({ severity: wanted }).where('id', '=', id).execute()
  await note(change, id, `severity ${severity} → ${wanted}, ${why}`)
}
