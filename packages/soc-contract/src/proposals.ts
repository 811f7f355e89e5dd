import { z } from 'zod'
import { Cites } from './agents.ts'
import { ListQuery } from './lists.ts'
import { Severity } from './severity.ts'
import { Criteria } from './suppressions.ts'
import { filledText, JsonObject, LogId, text } from './text.ts'

const ids = (most: number) => z.array(text(200)).min(1).max(most)
const Tasks = z
  .array(z.strictObject({ title: filledText(500), description: text(20_000).nullish() }))
  .max(100)

/** What may be proposed, and exactly what is done when somebody accepts it. */
export const ProposedAction = z.discriminatedUnion('kind', [
  z.strictObject({
    kind: z.literal('open_case'),
    title: filledText(500),
    severity: Severity,
    description: text(20_000),
    alert_ids: z.array(text(200)).max(1_000),
    tasks: Tasks.default([]),
  }),
  z.strictObject({ kind: z.literal('link_alerts'), case_id: text(200), alert_ids: ids(1_000) }),
  z.strictObject({ kind: z.literal('merge_cases'), case_id: text(200), case_ids: ids(100) }),
  z.strictObject({ kind: z.literal('add_tasks'), case_id: text(200), tasks: Tasks.min(1) }),
  z.strictObject({
    kind: z.literal('raise_alert'),
    title: filledText(500),
    severity: Severity,
    description: text(20_000),
    host: text(255).nullable(),
    rule_id: text(200).nullable(),
    log_id: LogId,
    mitre_techniques: z.array(filledText(20)).max(100),
  }),
  z.strictObject({
    kind: z.literal('suppress'),
    rule_id: text(200),
    name: filledText(300),
    reason: text(5_000),
    criteria: Criteria,
    suppress_for_hours: z.int().min(1).max(8_760),
  }),
  z.strictObject({
    kind: z.literal('add_indicators'),
    values: z.array(filledText(2_048)).min(1).max(100),
    score: z.int().min(1).max(100),
    valid_days: z.int().min(1).max(365),
    reason: text(5_000),
  }),
  z.strictObject({
    kind: z.literal('endpoint_action'),
    endpoint_id: text(200),
    hostname: text(255),
    command: z.enum(['isolate', 'scan']),
    reason: text(2_000),
  }),
  z.strictObject({
    kind: z.literal('execute_playbook'),
    playbook_id: text(200),
    alert_id: text(200).nullable(),
    case_id: text(200).nullable(),
    parameters: JsonObject,
  }),
  z.strictObject({
    kind: z.literal('disable_account'),
    account: filledText(320),
    host: text(255).nullable(),
    alert_ids: z.array(text(200)).max(100),
    reason: text(2_000),
  }),
])
export type ProposedAction = z.infer<typeof ProposedAction>
export type ProposalKind = ProposedAction['kind']

const KINDS = ProposedAction.options.map(({ shape }) => shape.kind.value) as [
  ProposalKind,
  ...ProposalKind[],
]

/** `withdrawn`: its evidence or its target is gone, or it has a twin. `expired`: nobody decided. */
export const ProposalStatus = z.enum([
  'open',
  'accepted',
  'rejected',
  'undone',
  'withdrawn',
  'expired',
])
export type ProposalStatus = z.infer<typeof ProposalStatus>

export const Proposal = z.object({
  id: z.string(),
  /** Of the agent that proposes; null when a person did. */
  agent_id: z.string().nullable(),
  proposed_by: z.string(),
  run_id: z.string().nullable(),
  kind: z.enum(KINDS),
  title: z.string(),
  rationale: z.array(z.string()),
  action: ProposedAction,
  /** SHA-256 of the action: what is accepted is exactly this. */
  action_sha256: z.string(),
  /** `acts` reaches outside of the platform, `records` does not. */
  effect: z.enum(['records', 'acts']),
  risk: z.string(),
  way_back: z.string(),
  evidence: z.record(z.string(), z.unknown()),
  cites: Cites,
  status: ProposalStatus,
  status_reason: z.string().nullable(),
  /** The approval that stands for it, once the gate has let it through. */
  approval_id: z.string().nullable(),
  decided_by: z.string().nullable(),
  decided_at: z.string().nullable(),
  /** What came of it: the ids of what was made or asked for. */
  result: z.record(z.string(), z.unknown()).nullable(),
  undone_by: z.string().nullable(),
  undone_at: z.string().nullable(),
  created_at: z.string(),
  expires_at: z.string(),
})
export type Proposal = z.infer<typeof Proposal>

export const ProposalListQuery = ListQuery.pick({
  skip: true,
  limit: true,
  cursor: true,
  order: true,
}).extend({
  status: z.enum([...ProposalStatus.options, 'all']).default('open'),
  kind: z.enum(KINDS).optional(),
  agent_id: text(100).optional(),
})
export type ProposalListQuery = z.infer<typeof ProposalListQuery>

export const ProposalParams = z.object({ proposal_id: z.string() })

export const ProposalCreate = z.strictObject({
  title: filledText(500),
  rationale: z.array(filledText(2_000)).max(50).default([]),
  action: ProposedAction,
  cites: z.strictObject({
    log_ids: z.array(LogId).max(1_000).default([]),
    alert_ids: z.array(text(200)).max(1_000).default([]),
    case_ids: z.array(text(200)).max(1_000).default([]),
    rule_ids: z.array(text(200)).max(1_000).default([]),
    endpoint_ids: z.array(text(200)).max(1_000).default([]),
    ioc_ids: z.array(text(200)).max(1_000).default([]),
  }),
})
export type ProposalCreate = z.infer<typeof ProposalCreate>

export const ProposalAccept = z.strictObject({ reason: text(2_000).nullish() })

/** With a verdict the rejection counts as feedback on the rules behind the alerts it cites. */
export const ProposalReject = z.strictObject({
  reason: filledText(2_000),
  verdict: z.enum(['true_positive', 'false_positive', 'needs_tuning']).optional(),
})
export type ProposalReject = z.infer<typeof ProposalReject>

export const ProposalUndo = z.strictObject({ reason: text(2_000).nullish() })
