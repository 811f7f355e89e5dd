import type { ExecutionStatus, RollbackStatus, StepStatus } from '@manara/soc-contract/playbooks'

export type Seen = {
  status: ExecutionStatus
  rollback: RollbackStatus
  isCancelled: boolean
  isOverdue: boolean
  steps: { status: StepStatus }[]
  canBeUndone(position: number): boolean
}

/** `position` is the step's. */
export type Move =
  | { kind: 'nothing' | 'cancel' | 'time-out' | 'complete' | 'finish-rollback' }
  | { kind: 'run' | 'recover' | 'resume' | 'undo' | 'recover-undo'; position: number }

const isLive = (status: ExecutionStatus) => /^(pending|running|pending_approval)$/.test(status)

/**
 * What comes next, told from what is stored and nothing else: whoever takes an execution over goes
 * on exactly where the one before it stopped. A step that is `running` here was begun and never
 * recorded as over.
 */
export function nextMove(seen: Seen): Move {
  const { status, rollback, steps } = seen
  const find = (wanted: StepStatus) => steps.findIndex((step) => step.status === wanted)
  const at = (kind: 'run' | 'recover' | 'resume' | 'undo' | 'recover-undo', position: number) =>
    position < 0 ? undefined : { kind, position }

  if (rollback === 'pending') {
    const last = steps.findLastIndex(
      ({ status: of }, position) =>
        (of === 'completed' || of === 'cancelled') && seen.canBeUndone(position),
    )
    return at('recover-undo', find('undoing')) ?? at('undo', last) ?? { kind: 'finish-rollback' }
  }
  if (!isLive(status)) return { kind: 'nothing' }
  if (seen.isCancelled) return { kind: 'cancel' }
  const unfinished = at('recover', find('running'))
  if (unfinished) return unfinished
  if (seen.isOverdue) return { kind: 'time-out' }
  return at('resume', find('waiting')) ?? at('run', find('pending')) ?? { kind: 'complete' }
}
