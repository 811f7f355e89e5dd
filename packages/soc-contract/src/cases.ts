import { z } from 'zod'
import { Evidence } from './evidence.ts'
import { ListQuery, moment, someOf, wholeNumber } from './lists.ts'
import { Role } from './permissions.ts'
import { Severity } from './severity.ts'
import { filledText, JsonObject, text } from './text.ts'

export const CaseStatus = z.enum([
  'open',
  'investigating',
  'pending_approval',
  'on_hold',
  'resolved',
  'closed',
])
export type CaseStatus = z.infer<typeof CaseStatus>

export const TaskStatus = z.enum(['todo', 'in_progress', 'blocked', 'done', 'cancelled'])
export type TaskStatus = z.infer<typeof TaskStatus>

export const Tlp = z.enum(['clear', 'green', 'amber', 'amber+strict', 'red'])
export type Tlp = z.infer<typeof Tlp>

/**
 * `team`: everybody with cases:read. `private`: the one who opened it, the assignee, admins, and
 * whom it names. TLP `amber+strict` is private too; `red` is for people, not for roles.
 */
export const CaseAccess = z.strictObject({
  mode: z.enum(['team', 'private']),
  users: z.array(filledText(200)).max(200).default([]),
  roles: z.array(Role).max(20).default([]),
})
export type CaseAccess = z.infer<typeof CaseAccess>

export const Case = z.object({
  id: z.string(),
  title: z.string(),
  status: CaseStatus,
  severity: Severity,
  description: z.string().nullable(),
  assignee: z.string().nullable(),
  requires_human_approval: z.boolean(),
  access: CaseAccess,
  tlp: Tlp,
  alert_ids: z.array(z.string()),
  /** Rises with every change of the record; a PATCH that names an older one is 409. */
  version: z.int(),
  /** The case this one is part of, until it is unmerged. */
  merged_into: z.string().nullable(),
  created_by: z.string(),
  created_at: z.string(),
  updated_at: z.string(),
})
export type Case = z.infer<typeof Case>

const TimelineEntry = z.object({
  agent: z.string(),
  action: z.string(),
  timestamp: z.string(),
})

export const Observable = z.object({
  id: z.string(),
  type: z.string(),
  value: z.string(),
  source: z.string().nullable(),
  tags: z.array(z.string()),
  context: z.record(z.string(), z.unknown()),
  created_by: z.string(),
  created_at: z.string(),
})
export type Observable = z.infer<typeof Observable>

export const Comment = z.object({
  id: z.string(),
  author: z.string(),
  body: z.string(),
  created_at: z.string(),
})
export type Comment = z.infer<typeof Comment>

export const Task = z.object({
  id: z.string(),
  title: z.string(),
  description: z.string().nullable(),
  status: TaskStatus,
  assignee: z.string().nullable(),
  due_at: z.string().nullable(),
  created_by: z.string(),
  created_at: z.string(),
  updated_at: z.string(),
})
export type Task = z.infer<typeof Task>

/** With what belongs to the cases merged into it. */
export const CaseDetail = Case.extend({
  merged_case_ids: z.array(z.string()),
  timeline: z.array(TimelineEntry),
  observables: z.array(Observable),
  evidence: z.array(Evidence),
  comments: z.array(Comment),
  tasks: z.array(Task),
  /** How many of each there are, where only the `latest` were asked for. */
  counts: z
    .object({ timeline: z.int(), observables: z.int(), evidence: z.int(), comments: z.int() })
    .optional(),
})
export type CaseDetail = z.infer<typeof CaseDetail>

/** A piece goes through hundreds of hands: then only how many is told. */
const custody = z.literal('count').optional()

/** A case may have thousands: so many of its timeline, observables, evidence and comments. */
export const CaseDetailQuery = z.strictObject({
  latest: wholeNumber(1, 10_000).optional(),
  custody,
})
export type CaseDetailQuery = z.infer<typeof CaseDetailQuery>

export const CaseCreate = z.strictObject({
  title: filledText(500),
  severity: Severity.default('medium'),
  description: text(20_000).nullish(),
  alert_ids: z.array(text(200)).max(1_000).default([]),
  assignee: text(320).nullish(),
  access: CaseAccess.optional(),
  tlp: Tlp.optional(),
})
export type CaseCreate = z.infer<typeof CaseCreate>

const CaseFields = z
  .strictObject({
    title: filledText(500),
    severity: Severity,
    status: CaseStatus,
    description: text(20_000).nullable(),
    assignee: text(320).nullable(),
    requires_human_approval: z.boolean(),
    access: CaseAccess,
    tlp: Tlp,
  })
  .partial()
export type CaseFields = z.infer<typeof CaseFields>

export const CaseUpdate = CaseFields.extend({ version: z.int().optional() }).refine(
  (body) => Object.keys(body).some((key) => key !== 'version'),
  'must change something',
)
export type CaseUpdate = z.infer<typeof CaseUpdate>

export const CaseListQuery = ListQuery.extend({
  status: someOf(CaseStatus).optional(),
  severity: someOf(Severity).optional(),
  assignee: text(320).optional(),
  q: filledText(500).optional(),
  sort: z.enum(['created_at', 'updated_at', 'severity']).default('created_at'),
})
export type CaseListQuery = z.infer<typeof CaseListQuery>

/** Observables, evidence, comments and tasks come in the order they were added. */
export const CasePartQuery = ListQuery.pick({ skip: true, limit: true, cursor: true }).extend({
  order: z.enum(['asc', 'desc']).default('asc'),
})

/** `q` is part of its id, name, type, hash or location. */
export const EvidenceListQuery = CasePartQuery.extend({ q: filledText(500).optional(), custody })

export const ObservableCreate = z.strictObject({
  type: filledText(100),
  value: filledText(4_096),
  source: text(200).nullish(),
  tags: z.array(filledText(100)).max(100).default([]),
  context: JsonObject.default({}),
})
export type ObservableCreate = z.infer<typeof ObservableCreate>

export const ObservableUpdate = z
  .strictObject({
    type: filledText(100),
    value: filledText(4_096),
    source: text(200).nullable(),
    tags: z.array(filledText(100)).max(100),
    context: JsonObject,
  })
  .partial()
export type ObservableUpdate = z.infer<typeof ObservableUpdate>

export const ObservableParams = z.object({ case_id: z.string(), observable_id: z.string() })

export const CommentCreate = z.strictObject({
  body: filledText(20_000),
  author: filledText(320).optional(),
})
export type CommentCreate = z.infer<typeof CommentCreate>

export const TaskCreate = z.strictObject({
  title: filledText(500),
  description: text(20_000).nullish(),
  assignee: text(320).nullish(),
  status: TaskStatus.default('todo'),
  due_at: moment.nullish(),
})
export type TaskCreate = z.infer<typeof TaskCreate>

export const TaskUpdate = z
  .strictObject({ status: TaskStatus, assignee: text(320).nullable() })
  .partial()
  .refine((body) => Object.keys(body).length > 0, 'must change something')
export type TaskUpdate = z.infer<typeof TaskUpdate>

export const CaseIds = z.strictObject({ case_ids: z.array(text(200)).min(1).max(100) })

export const CaseParams = z.object({ case_id: z.string() })
export const TaskParams = z.object({ case_id: z.string(), task_id: z.string() })
