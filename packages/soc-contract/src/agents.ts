import { z } from 'zod'
import { AGENTS } from './agent-names.ts'
import { ListQuery } from './lists.ts'
import { RecordId, text } from './text.ts'

export const AgentType = z.enum(AGENTS.map(({ type }) => type))
export type AgentType = z.infer<typeof AgentType>

export type AgentId = (typeof AGENTS)[number]['id']

const AgentStatus = z.enum(['active', 'disabled', 'error'])

export const Agent = z.object({
  id: z.string(),
  name: z.string(),
  type: AgentType,
  /** Null works for every site. */
  site_id: z.string().nullable(),
  status: AgentStatus,
  /** How many of its jobs may run at a time, over all processes. */
  instances: z.int(),
  description: z.string(),
  tools: z.array(z.string()),
  /** All agents are stopped by `POST /agents/pause`. */
  is_paused: z.boolean(),
  jobs_waiting: z.int(),
  jobs_running: z.int(),
  jobs_failed: z.int(),
  oldest_waiting_at: z.string().nullable(),
  last_run_at: z.string().nullable(),
  runs_24h: z.int(),
  errors_24h: z.int(),
  last_error: z.string().nullable(),
})
export type Agent = z.infer<typeof Agent>

export const AgentListQuery = ListQuery.pick({ skip: true, limit: true, cursor: true }).extend({
  site: RecordId.optional(),
  status: AgentStatus.optional(),
  type: AgentType.optional(),
})
export type AgentListQuery = z.infer<typeof AgentListQuery>

export const AgentParams = z.object({ agent_id: z.string() })

/** `null` takes it back from its site: it then works for all of them. */
export const AgentDeploy = z.strictObject({ site_id: RecordId.nullable() })
export const AgentScale = z.strictObject({ instances: z.int().min(0).max(10) })

export const AgentPause = z.strictObject({ reason: text(2_000).nullish() })
export const AgentsPaused = z.object({
  paused: z.boolean(),
  by: z.string().nullable(),
  reason: z.string().nullable(),
  at: z.string().nullable(),
})
export type AgentsPaused = z.infer<typeof AgentsPaused>

/** What a claim of an agent rests on: records that exist, checked before the claim is stored. */
export const Cites = z.object({
  log_ids: z.array(z.string()),
  alert_ids: z.array(z.string()),
  case_ids: z.array(z.string()),
  rule_ids: z.array(z.string()),
  endpoint_ids: z.array(z.string()),
  ioc_ids: z.array(z.string()),
})
export type Cites = z.infer<typeof Cites>

export const AgentRunStatus = z.enum(['completed', 'partial', 'failed'])
export type AgentRunStatus = z.infer<typeof AgentRunStatus>

export const AgentRun = z.object({
  id: z.string(),
  agent_id: z.string(),
  /** What it was about: the event and the record, or the timer. */
  key: z.string(),
  attempt: z.int(),
  status: AgentRunStatus,
  summary: z.string(),
  steps: z.array(z.object({ what: z.string(), count: z.int().nullable() })),
  findings: z.int(),
  proposals: z.int(),
  /** Claims that were not stored because something they cite does not exist. */
  dropped: z.int(),
  used: z.object({ ms: z.int(), events: z.int(), queries: z.int() }),
  /** Why it is `partial`: the budget that was used up. */
  partial: z.string().nullable(),
  error: z.string().nullable(),
  started_at: z.string(),
  completed_at: z.string(),
})
export type AgentRun = z.infer<typeof AgentRun>

export const AgentRunListQuery = ListQuery.pick({
  skip: true,
  limit: true,
  cursor: true,
  order: true,
}).extend({ status: AgentRunStatus.optional() })
export type AgentRunListQuery = z.infer<typeof AgentRunListQuery>

export const FindingKind = z.enum(['triage', 'enrichment', 'finding', 'hunt', 'note'])
export type FindingKind = z.infer<typeof FindingKind>

export const AgentFinding = z.object({
  id: z.string(),
  agent_id: z.string(),
  run_id: z.string(),
  kind: FindingKind,
  claim: z.string(),
  /** One sentence a line: why the claim is made. */
  reasons: z.array(z.string()),
  /** 0 to 100. */
  weight: z.int(),
  alert_id: z.string().nullable(),
  case_id: z.string().nullable(),
  host: z.string().nullable(),
  techniques: z.array(z.string()),
  data: z.record(z.string(), z.unknown()),
  cites: Cites,
  created_at: z.string(),
})
export type AgentFinding = z.infer<typeof AgentFinding>

export const FindingListQuery = ListQuery.pick({
  skip: true,
  limit: true,
  cursor: true,
  order: true,
}).extend({
  agent_id: text(100).optional(),
  kind: FindingKind.optional(),
  alert_id: text(200).optional(),
  case_id: text(200).optional(),
})
export type FindingListQuery = z.infer<typeof FindingListQuery>
