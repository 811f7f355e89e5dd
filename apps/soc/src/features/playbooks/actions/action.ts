import { AppError } from '@manara/kit/errors'
import type { z } from 'zod'
import type { ChangeContext } from '../../../core/change/operator-change.ts'

export type JsonObject = Record<string, unknown>

/** A step's way back is another action: undoing is recorded and audited like doing. */
export type ActionCall = { action: string; params: JsonObject }

/** What an action knows of the execution that it is part of. */
export type Run = {
  executionId: string
  stepId: string
  playbookId: string
  playbookName: string
  requestedBy: string
  alertId: string | null
  caseId: string | null
  /** The same for every attempt of one step: who honours it acts once. */
  idempotencyKey: string
  /** What it takes back may be gone by now. */
  isWayBack: boolean
  /** Aborted at the step's time limit, at a cancel and at the end of the service. */
  signal: AbortSignal
}

/** Until then, unless something wakes the execution before. */
export type Parked = { until: Date; note: JsonObject; approvalId?: string }
type Resumed = { output: JsonObject } | { until: Date }

/** Changes nothing: repeated freely, and done in rehearsals too. */
type Reads = {
  effect: 'reads'
  run(params: never, run: Run): Promise<JsonObject>
}

type Changes = {
  /** What takes it back, told from what it was given and what it answered; null when nothing can. */
  undo: ((params: never, output: JsonObject) => ActionCall | null) | null
  /** What a rehearsal answers instead. */
  simulate(params: never): JsonObject
}

/** Changes our own records, in one transaction with the step's own: done and recorded, or neither. */
type Records = Changes & {
  effect: 'records'
  /** The case that the execution is about from here on, unless it has one. */
  caseOf?(output: JsonObject): string
  run(change: ChangeContext, params: never, run: Run): Promise<JsonObject>
}

/** Reaches outside: begun and not recorded as done, nobody knows whether it happened. */
type Acts = Changes & {
  effect: 'acts'
  /** Parameters that may hold secrets; such an action has a `url`. */
  secretParams?: readonly string[]
  run(params: never, run: Run): Promise<JsonObject>
}

/** Begins something and comes back for it, in seconds or in days. */
type Waits = Changes & {
  effect: 'waits'
  begin(change: ChangeContext, params: never, run: Run): Promise<Parked>
  resume(change: ChangeContext, params: never, note: JsonObject, run: Run): Promise<Resumed>
}

/** `params` of its functions are what its schema made of the step's. */
export type Action = { params: z.ZodType } & (Reads | Records | Acts | Waits)
export type Actions = Record<string, Action>

/** A playbook may be older than the actions there are. */
export function actionNamed(actions: Actions, name: string): Action {
  const action = Object.hasOwn(actions, name) ? actions[name] : undefined
  if (!action) throw new AppError(400, `the action ${name} does not exist any more`)
  return action
}

export const secretParamsOf = (action: Action): readonly string[] =>
  (action.effect === 'acts' && action.secretParams) || []
