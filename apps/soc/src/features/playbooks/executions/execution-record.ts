import type { Execution, ExecutionStep, PlaybookStep } from '@manara/soc-contract/playbooks'
import type { Selectable } from 'kysely'
import type { Tables } from '../../../db/tables.ts'

export type ExecutionRow = Selectable<Tables['executions']>
export type StepRow = Selectable<Tables['execution_steps']>

/** As it is written in the playbook; the rows of an execution are made from its plan. */
export const plannedStep = ({ plan }: ExecutionRow, { position }: StepRow) =>
  plan[position] as PlaybookStep

const OVER = new Set(['completed', 'skipped', 'undoing', 'undone', 'undo_failed'])

/** For those who count: done, left out, or done and taken back; not what never had its turn. */
const isOver = ({ status, completed_at }: StepRow) => OVER.has(status) && completed_at !== null

/** What it ordered from the EDR takes effect whether or not the step still waits for it. */
export const isOrdered = ({ output }: StepRow) => output?.has_effect === true

export function toExecution(row: ExecutionRow, steps: StepRow[]): Execution {
  return {
    id: row.id,
    playbook_id: row.playbook_id,
    playbook_name: row.playbook_name,
    playbook_version: row.playbook_version,
    status: row.status,
    trigger: row.trigger,
    dry_run: row.dry_run,
    alert_id: row.alert_id,
    case_id: row.case_id,
    parameters: row.parameters,
    approval_id: row.approval_id,
    requested_by: row.requested_by,
    steps_total: steps.length,
    steps_completed: steps.filter(isOver).length,
    steps: steps.map(toStep),
    error: row.error,
    rollback: row.rollback,
    created_at: row.created_at.toISOString(),
    started_at: row.started_at?.toISOString() ?? null,
    completed_at: row.completed_at?.toISOString() ?? null,
  }
}

const toStep = (row: StepRow): ExecutionStep => ({
  id: row.id,
  action: row.action,
  status: row.status,
  output: row.is_simulated && row.output ? { ...row.output, simulated: true } : row.output,
  error: row.error,
  started_at: row.started_at?.toISOString() ?? null,
  completed_at: row.completed_at?.toISOString() ?? null,
})

/** For listeners, with the cases by which those who may not read one of them are left out. */
export const toldOf = (row: ExecutionRow, steps: StepRow[]) => ({
  ...withoutSteps(row, steps),
  cases_named: row.cases_named,
})

/** For listeners and the audit log: what the steps found stays in the record. */
export function withoutSteps(row: ExecutionRow, steps: StepRow[]) {
  const { steps: _, parameters: __, ...summary } = toExecution(row, steps)
  return summary
}
