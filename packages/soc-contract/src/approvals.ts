import { z } from 'zod'
import { ListQuery } from './lists.ts'
import { PlaybookStep } from './playbooks.ts'
import { text, UserId } from './text.ts'

export const ApprovalStatus = z.enum([
  'pending',
  'approved',
  'rejected',
  'timeout',
  'cancelled',
  'consumed',
])
export type ApprovalStatus = z.infer<typeof ApprovalStatus>

/**
 * What waits for a person: a whole playbook, one step of an execution, what an agent asks,
 * what was proposed, or a change to a critical playbook. */
export const ApprovalKind = z.enum(['playbook', 'step', 'request', 'proposal', 'playbook_change'])
export type ApprovalKind = z.infer<typeof ApprovalKind>

/** Whom or what one step reaches: a host, an address, the indicators that are blocked. */
export const ApprovalTarget = z.object({
  step: z.string(),
  action: z.string(),
  target: z.union([z.string(), z.array(z.string())]),
  seen: z
    .array(z.object({ value: z.string(), hosts: z.int().nullable(), days: z.int().nullable() }))
    .optional()
    .meta({
      description:
        'Of indicators to block: on how many hosts and days the logs have them; null when that could not be found out',
    }),
})
export type ApprovalTarget = z.infer<typeof ApprovalTarget>

/** One field before and after; `path` is a JSON pointer. */
export const FieldChange = z.object({
  path: z.string(),
  before: z.unknown(),
  after: z.unknown(),
})
export type FieldChange = z.infer<typeof FieldChange>

export const Approval = z.object({
  id: z.string(),
  kind: ApprovalKind,
  action: z.string(),
  justification: z.string().nullable(),
  playbook_id: z.string().nullable(),
  playbook_name: z.string().nullable(),
  /** The execution that waits for it, or that used it. */
  execution_id: z.string().nullable(),
  alert_id: z.string().nullable(),
  case_id: z.string().nullable(),
  parameters: z.record(z.string(), z.unknown()),
  playbook_version: z.int().nullable(),
  steps: z.array(PlaybookStep).meta({
    description:
      'Exactly these are run, with the parameters filled in as far as they can be known; whatever becomes of the playbook, the alert or the case meanwhile',
  }),
  changes: z.array(FieldChange).meta({
    description: 'Of a change to a playbook: what becomes what',
  }),
  approvers: z.array(z.string()).nullable().meta({
    description: 'The only ones who may decide; null for everybody with approvals:manage',
  }),
  approvers_left: z.array(z.string()).nullable().meta({
    description:
      'Of those, who may still approve; none left: an admin decides in their place, and the audit log says so',
  }),
  requester_decides: z
    .boolean()
    .optional()
    .meta({ description: 'Nobody else may: who asked is the only manager or admin' }),
  decision_refused: z.string().optional().meta({
    description: 'Why whoever reads it may not decide it while it waits; absent if they may',
  }),
  sha256: z.string().meta({ description: 'Stands for all that is approved' }),
  targets: z.array(ApprovalTarget).meta({
    description: 'Exactly these are reached, whatever becomes of the alert meanwhile',
  }),
  status: ApprovalStatus,
  requested_by: z.string(),
  requested_by_id: UserId,
  created_at: z.string(),
  expires_at: z.string(),
  decided_by: z.string().nullable(),
  decided_by_id: UserId,
  decided_at: z.string().nullable(),
  reason: z.string().nullable(),
  consumed_at: z.string().nullable(),
})
export type Approval = z.infer<typeof Approval>

/** Without `status` only those that can still be decided; `all` for every one. */
export const ApprovalListQuery = ListQuery.pick({
  skip: true,
  limit: true,
  cursor: true,
  order: true,
}).extend({
  status: z.enum([...ApprovalStatus.options, 'all']).default('pending'),
  case_id: text(200).optional(),
  playbook_id: text(200).optional(),
})
export type ApprovalListQuery = z.infer<typeof ApprovalListQuery>

export const ApprovalDecision = z.strictObject({
  approved: z.boolean(),
  reason: text(2_000).nullish(),
})
export type ApprovalDecision = z.infer<typeof ApprovalDecision>

export const ApprovalParams = z.object({ approval_id: z.string() })
