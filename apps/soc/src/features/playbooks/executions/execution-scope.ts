import { AppError } from '@manara/kit/errors'
import type { Kysely } from 'kysely'
import { isHidden } from '../../../core/access/reader.ts'
import type { Tables } from '../../../db/tables.ts'
import type { ActionFunctions } from '../actions/functions.ts'
import type { Scope } from '../domain/evaluate.ts'
import type { ExecutionRow, StepRow } from './execution-record.ts'

/**
 * What the templates and conditions of an execution can read: as it is now, or as it was when
 * somebody approved it.
 */
export async function scopeOf(
  { readAlert, readCase }: Pick<ActionFunctions, 'readAlert' | 'readCase'>,
  db: Kysely<Tables>,
  row: ExecutionRow,
  steps: StepRow[],
): Promise<Scope> {
  const { id, playbook_id, playbook_name, requested_by, dry_run, created_at } = row
  return {
    alert: row.context
      ? row.context.alert
      : row.alert_id && (await orNull(readAlert(db, row.alert_id))),
    case: await caseOf(readCase, db, row),
    params: row.parameters,
    steps: Object.fromEntries(
      steps.map((step) => [
        step.id,
        { status: step.status, output: step.output, error: step.error },
      ]),
    ),
    execution: {
      id,
      playbook_id,
      playbook_name,
      requested_by,
      dry_run,
      created_at: created_at.toISOString(),
    },
  }
}

// A case that a step has opened since was not there to be held on to; one that its requester may
// not read any more is not read from what was held on to either.
async function caseOf(
  readCase: ActionFunctions['readCase'],
  db: Kysely<Tables>,
  { context, case_id }: ExecutionRow,
) {
  if (case_id === null || isHidden(case_id)) return null
  return context?.case ?? orNull(readCase(db, case_id))
}

// A case may be deleted meanwhile: then it is not there, and whatever needs it says so.
async function orNull<T>(reading: Promise<T>): Promise<T | null> {
  try {
    return await reading
  } catch (error) {
    if (error instanceof AppError && error.status === 404) return null
    throw error
  }
}
