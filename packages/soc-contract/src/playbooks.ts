import { z } from 'zod'
import { ListQuery } from './lists.ts'
import { filledText, JsonObject, text } from './text.ts'

/** Lower-case words with dashes: it is the name of the shipped file and a part of URLs. */
const PlaybookId = z
  .string()
  .regex(/^[a-z0-9]+(-[a-z0-9]+)*$/, 'must be lower-case words joined by dashes')
  .max(100)

/** So that `steps.<id>.output` and `params.<name>` can be written in expressions. */
const Name = z.string().regex(/^[a-z][a-z0-9_]{0,63}$/, 'must be lower-case letters, digits and _')

const Expression = filledText(1_000)

export const PlaybookTrigger = z.strictObject({
  on: z.enum(['manual', 'alert.created']).default('manual'),
  /** Only for alerts of which this holds, such as `alert.severity == 'critical'`. */
  when: Expression.nullable().default(null),
})
export type PlaybookTrigger = z.infer<typeof PlaybookTrigger>

export const PlaybookParameter = z.strictObject({
  type: z.enum(['string', 'number', 'boolean', 'enum']),
  description: text(500).nullable().default(null),
  required: z.boolean().default(false),
  default: z
    .union([text(4_096), z.number(), z.boolean()])
    .nullable()
    .default(null),
  /** What an enum may be. */
  values: z.array(filledText(200)).min(1).max(100).nullable().default(null),
})
export type PlaybookParameter = z.infer<typeof PlaybookParameter>

const UndoCall = z.strictObject({ action: filledText(100), params: JsonObject.default({}) })

export const PlaybookStep = z.strictObject({
  id: Name,
  action: filledText(100),
  params: JsonObject.default({}),
  when: Expression.nullable().default(null).describe('The step is skipped when this is not so'),
  timeout_s: z.int().min(1).max(3_600).default(60),
  retries: z.int().min(0).max(10).default(0),
  on_failure: z.enum(['stop', 'continue', 'rollback']).default('stop'),
  undo: z
    .union([z.literal('none'), UndoCall])
    .nullable()
    .default(null)
    .describe('The action that takes the step back; null is what the action itself knows'),
})
export type PlaybookStep = z.infer<typeof PlaybookStep>

/** What a playbook is, in its file and over the API. */
export const PlaybookDefinition = z.strictObject({
  name: filledText(200),
  description: text(4_000).nullable().default(null),
  enabled: z.boolean().default(true),
  is_critical: z.boolean().default(false),
  trigger: PlaybookTrigger.default({ on: 'manual', when: null }),
  parameters: z.record(Name, PlaybookParameter).default({}),
  steps: z.array(PlaybookStep).min(1).max(100),
  tags: z.array(filledText(100)).max(100).default([]),
  /** Of a whole execution, waiting included. */
  timeout_s: z.int().min(1).max(604_800).default(86_400),
  /** The only users who may decide about it; null for everybody with approvals:manage. */
  approvers: z.array(filledText(200)).min(1).max(50).nullable().default(null),
})
export type PlaybookDefinition = z.infer<typeof PlaybookDefinition>

export const PlaybookFile = PlaybookDefinition.extend({
  id: PlaybookId,
  version: z.int().min(1),
})
export type PlaybookFile = z.infer<typeof PlaybookFile>

export const PlaybookCreate = PlaybookDefinition.extend({ id: PlaybookId.optional() })
export type PlaybookCreate = z.infer<typeof PlaybookCreate>

const { shape } = PlaybookDefinition
/** No defaults here: what is not named stays as it is. */
export const PlaybookUpdate = z
  .strictObject({
    name: shape.name,
    description: text(4_000).nullable(),
    enabled: z.boolean(),
    is_critical: z.boolean(),
    trigger: PlaybookTrigger,
    parameters: z.record(Name, PlaybookParameter),
    steps: shape.steps,
    tags: z.array(filledText(100)).max(100),
    timeout_s: z.int().min(1).max(604_800),
    approvers: z.array(filledText(200)).min(1).max(50).nullable(),
    /** Of the playbook that was read: another one since is 409. */
    version: z.int(),
  })
  .partial()
  .refine((body) => Object.keys(body).some((key) => key !== 'version'), 'must change something')
export type PlaybookUpdate = z.infer<typeof PlaybookUpdate>

export const Playbook = z.object({
  id: z.string(),
  version: z.int(),
  ...shape,
  /** `shipped` ones are upgraded with the service until somebody edits them. */
  origin: z.enum(['shipped', 'user']),
  is_edited: z.boolean(),
  run_count: z.int(),
  /** Of the finished runs, 0 to 1; null before the first. Rehearsals do not count. */
  success_rate: z.number().nullable(),
  last_run_at: z.string().nullable(),
  created_at: z.string(),
  updated_at: z.string(),
  updated_by: z.string(),
})
export type Playbook = z.infer<typeof Playbook>

/** A playbook as it was from one change to the next. */
export const PlaybookRevision = z.object({
  playbook_id: z.string(),
  revision: z.int(),
  version: z.int(),
  ...shape,
  is_deleted: z.boolean(),
  changed_by: z.string(),
  /** Who was the second person, where one was needed. */
  approved_by: z.string().nullable(),
  changed_at: z.string(),
})
export type PlaybookRevision = z.infer<typeof PlaybookRevision>

export const PlaybookRevisionParams = z.object({ playbook_id: z.string(), revision: z.string() })

const RevisionNumber = z
  .string()
  .regex(/^[1-9]\d{0,8}$/, 'must be the number of a revision')
  .transform(Number)

/** Without `to` the newest; without `from` the one before that. */
export const PlaybookDiffQuery = z.strictObject({
  from: RevisionNumber.optional(),
  to: RevisionNumber.optional(),
})
export type PlaybookDiffQuery = z.infer<typeof PlaybookDiffQuery>

export const PlaybookToggle = z.strictObject({ enabled: z.boolean() }).partial()

export const PlaybookListQuery = ListQuery.pick({ skip: true, limit: true, cursor: true }).extend({
  enabled: z.enum(['true', 'false']).optional(),
  tag: text(100).optional(),
})
export type PlaybookListQuery = z.infer<typeof PlaybookListQuery>

export const ExecutionStatus = z.enum([
  'pending',
  'pending_approval',
  'running',
  'completed',
  'failed',
  'cancelled',
  'timed_out',
])
export type ExecutionStatus = z.infer<typeof ExecutionStatus>

export const StepStatus = z.enum([
  'pending',
  'running',
  'waiting',
  'completed',
  'failed',
  'timed_out',
  'skipped',
  'cancelled',
  'undoing',
  'undone',
  'undo_failed',
])
export type StepStatus = z.infer<typeof StepStatus>

export const ExecutionStep = z.object({
  id: z.string(),
  action: z.string(),
  status: StepStatus,
  output: z.record(z.string(), z.unknown()).nullable(),
  error: z.string().nullable(),
  started_at: z.string().nullable(),
  completed_at: z.string().nullable(),
})
export type ExecutionStep = z.infer<typeof ExecutionStep>

export const RollbackStatus = z.enum(['none', 'pending', 'completed', 'failed'])
export type RollbackStatus = z.infer<typeof RollbackStatus>

export const Execution = z.object({
  id: z.string(),
  playbook_id: z.string(),
  playbook_name: z.string(),
  playbook_version: z.int(),
  status: ExecutionStatus,
  /** What began it. */
  trigger: PlaybookTrigger.shape.on.unwrap(),
  /** A rehearsal: nothing is changed and nobody is reached, the outputs say `simulated`. */
  dry_run: z.boolean(),
  alert_id: z.string().nullable(),
  case_id: z.string().nullable(),
  parameters: z.record(z.string(), z.unknown()),
  approval_id: z.string().nullable(),
  requested_by: z.string(),
  steps_total: z.int(),
  steps_completed: z.int(),
  steps: z.array(ExecutionStep),
  error: z.string().nullable(),
  rollback: RollbackStatus,
  created_at: z.string(),
  started_at: z.string().nullable(),
  completed_at: z.string().nullable(),
})
export type Execution = z.infer<typeof Execution>

export const ExecutionListQuery = ListQuery.pick({
  skip: true,
  limit: true,
  cursor: true,
  order: true,
}).extend({
  status: ExecutionStatus.optional(),
  playbook_id: text(200).optional(),
  alert_id: text(200).optional(),
  case_id: text(200).optional(),
})
export type ExecutionListQuery = z.infer<typeof ExecutionListQuery>

export const ExecuteBody = z.strictObject({
  alert_id: text(200).nullish(),
  case_id: text(200).nullish(),
  parameters: JsonObject.default({}),
  dry_run: z.boolean().default(false),
})
export type ExecuteBody = z.infer<typeof ExecuteBody>

export const ExecuteQuery = z.strictObject({ approval_id: filledText(200).optional() })

/** A critical playbook waits for a person: nothing was executed. */
export const PendingApproval = z.object({
  playbook_id: z.string(),
  playbook_name: z.string(),
  status: z.literal('pending_approval'),
  approval_id: z.string(),
  requires_approval: z.literal(true),
  steps_total: z.int(),
  message: z.string(),
})
export type PendingApproval = z.infer<typeof PendingApproval>

export const StartedExecution = Execution.extend({
  execution_id: z.string().describe('The same as `id`'),
  requires_approval: z.literal(false),
  message: z.string(),
})
export type StartedExecution = z.infer<typeof StartedExecution>

export const ResponseRule = z.object({
  id: z.string(),
  name: z.string(),
  description: z.string(),
  playbook_id: z.string(),
  condition: z.string(),
  enabled: z.boolean(),
})
export type ResponseRule = z.infer<typeof ResponseRule>

export const PlaybookParams = z.object({ playbook_id: z.string() })
export const ExecutionParams = z.object({ execution_id: z.string() })
export const ResponseRuleParams = z.object({ rule_id: z.string() })
