import type { Case, Comment, Observable, Task } from '@manara/soc-contract/cases'
import type { ExportedEvidence, StoredEntry } from '@manara/soc-contract/evidence'
import type { Selectable } from 'kysely'
import { isHidden } from '../../../core/access/reader.ts'
import type { Tables } from '../../../db/tables.ts'

export const CASE_COLUMNS = [
  'id',
  'title',
  'status',
  'severity',
  'severity_rank',
  'description',
  'assignee',
  'requires_human_approval',
  'access',
  'tlp',
  'version',
  'merged_into',
  'created_by',
  'created_at',
  'updated_at',
] as const

type Row<Table extends keyof Tables> = Selectable<Tables[Table]>
export type CaseRow = Pick<Row<'cases'>, (typeof CASE_COLUMNS)[number]>

export function toCase({ severity_rank: _, ...row }: CaseRow, alertIds: string[]): Case {
  return {
    ...row,
    merged_into: isHidden(row.merged_into) ? null : row.merged_into,
    alert_ids: alertIds,
    created_at: row.created_at.toISOString(),
    updated_at: row.updated_at.toISOString(),
  }
}

export function toObservable({ case_id: _, ...row }: Row<'case_observables'>): Observable {
  return { ...row, created_at: row.created_at.toISOString() }
}

export function toComment({ case_id: _, ...row }: Row<'case_comments'>): Comment {
  return { ...row, created_at: row.created_at.toISOString() }
}

export function toTask({ case_id: _, ...row }: Row<'case_tasks'>): Task {
  return {
    ...row,
    due_at: row.due_at?.toISOString() ?? null,
    created_at: row.created_at.toISOString(),
    updated_at: row.updated_at.toISOString(),
  }
}

/** When it was registered is what its chain says: nobody can change it there unnoticed. */
export function toEvidence(
  row: Row<'evidence'>,
  own: Pick<StoredEntry, 'action' | 'timestamp'>[] = [],
): ExportedEvidence {
  const first = own.find((entry) => entry.action === 'registered')
  return { ...row, created_at: first?.timestamp ?? row.created_at.toISOString() }
}
