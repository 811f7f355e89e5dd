import { z } from 'zod'
import { ListQuery } from './lists.ts'
import { Severity } from './severity.ts'
import { filledText } from './text.ts'

export const InvestigationRequest = z.strictObject({
  /** Anything an analyst has: ids of alerts, cases and logs, addresses, hashes, hosts, users, times. */
  alert_context: filledText(100_000),
  has_cps_assets: z.boolean().default(false),
  severity: Severity.optional(),
})
export type InvestigationRequest = z.infer<typeof InvestigationRequest>

export const InvestigationStatus = z.enum(['running', 'completed', 'failed', 'cancelled'])
export type InvestigationStatus = z.infer<typeof InvestigationStatus>

export const Verdict = z.enum(['attack', 'suspicious', 'nothing_found'])
export type Verdict = z.infer<typeof Verdict>

/** What a claim rests on: all of it was there when the claim was stored. */
export const Cites = z.object({
  log_ids: z.array(z.string()),
  alert_ids: z.array(z.string()),
  rule_ids: z.array(z.string()),
})
export type Cites = z.infer<typeof Cites>

/** Who did something: a process, an account where no process is named, or an address from outside. */
export const InvestigatedActor = z.object({
  kind: z.enum(['process', 'session', 'subscription', 'address']),
  host: z.string(),
  user: z.string().nullable(),
  process: z.string().nullable().meta({ description: 'the program without its folder' }),
  pid: z.int().nullable(),
  image: z.string().nullable(),
  command_line: z.string().nullable(),
  address: z.string().nullable(),
  first_seen_at: z.string(),
  score: z.number(),
})
export type InvestigatedActor = z.infer<typeof InvestigatedActor>

export const Finding = z.object({
  claim: z.string(),
  weight: z.number(),
  host: z.string().nullable(),
  user: z.string().nullable(),
  process: z.string().nullable(),
  techniques: z.array(z.string()),
  cites: Cites,
})
export type Finding = z.infer<typeof Finding>

export const InvestigationStep = z.object({
  step: z.string(),
  /** In the query language of GET /siem/logs, to be run again; null when the logs were not asked. */
  query: z.string().nullable(),
  from: z.string().nullable(),
  to: z.string().nullable(),
  events: z.int(),
  ms: z.int(),
})
export type InvestigationStep = z.infer<typeof InvestigationStep>

export const ProposedAction = z.object({
  action: z.enum([
    'isolate_host',
    'disable_account',
    'block_indicator',
    'collect_evidence',
    'open_case',
  ]),
  target: z.object({ type: z.string(), value: z.string() }),
  reason: z.string(),
  risk: z.string(),
  way_back: z.string(),
  /** Nothing of it is done by the investigation. */
  requires_approval: z.boolean(),
  cites: Cites,
})
export type ProposedAction = z.infer<typeof ProposedAction>

export const InvestigatedIndicator = z.object({
  value: z.string(),
  type: z.enum(['ip', 'domain', 'hash', 'host', 'user', 'program', 'technique']),
  sightings: z.int(),
  is_count_exact: z.boolean(),
  first_seen_at: z.string().nullable(),
  last_seen_at: z.string().nullable(),
  hosts: z.array(z.string()),
})
export type InvestigatedIndicator = z.infer<typeof InvestigatedIndicator>

export const Conclusion = z.object({
  verdict: Verdict,
  /** A first guess from the score: 1 - e^(-score/60), a third less when partial. */
  confidence: z.number(),
  confidence_reasons: z.array(z.string()),
  score: z.number(),
  /** Why this is not the whole answer; null when it is. */
  partial: z.object({ reason: z.string() }).nullable(),
  window: z
    .object({ from: z.string(), to: z.string(), hosts: z.array(z.string()), events: z.int() })
    .nullable(),
  anchor: z
    .object({
      kind: z.enum(['alert', 'log', 'indicator']),
      id: z.string().nullable(),
      value: z.string().nullable(),
      title: z.string().nullable(),
      at: z.string(),
      host: z.string().nullable(),
      log_ids: z.array(z.string()),
    })
    .nullable(),
  /** What was read out of the request and looked for. */
  looked_for: z.array(z.object({ type: z.string(), value: z.string(), found: z.boolean() })),
  hosts: z.array(z.string()),
  users: z.array(z.string()),
  initiator: InvestigatedActor.nullable(),
  root: InvestigatedActor.nullable(),
  techniques: z.array(
    z.object({ id: z.string(), name: z.string(), weight: z.number(), cites: Cites }),
  ),
  findings: z.array(Finding),
  timeline: z.array(
    z.object({ at: z.string(), host: z.string(), what: z.string(), log_id: z.string() }),
  ),
  related_alerts: z.array(
    z.object({
      id: z.string(),
      title: z.string(),
      severity: z.string(),
      status: z.string(),
      host: z.string().nullable(),
      relation: z.enum(['same_events', 'same_host', 'same_indicator']),
      last_seen_at: z.string(),
    }),
  ),
  indicators: z.array(InvestigatedIndicator),
  /** The sites concerned and what their devices said within an hour; null unless it was asked for. */
  cps: z
    .object({
      site_ids: z.array(z.string()),
      devices: z.array(z.record(z.string(), z.unknown())),
      attestations: z.array(z.record(z.string(), z.unknown())),
      note: z.string(),
    })
    .nullable(),
  proposed_actions: z.array(ProposedAction),
  plan: z.array(InvestigationStep),
  /** SHA-256 over the conclusion without times it took: equal for equal data. */
  digest: z.string(),
  /** Which language model worded it; null for the built-in analyst. */
  model: z.string().nullable(),
})
export type Conclusion = z.infer<typeof Conclusion>

export const Progress = z.object({ step: z.string(), events: z.int() })
export type Progress = z.infer<typeof Progress>

export const InvestigationRecord = z.object({
  id: z.string(),
  status: InvestigationStatus,
  progress: Progress.nullable(),
  error: z.string().nullable(),
  request: z.object({
    alert_context: z.string(),
    has_cps_assets: z.boolean(),
    severity: Severity.nullable(),
  }),
  requested_by: z.string(),
  attempts: z.int(),
  created_at: z.string(),
  updated_at: z.string(),
  completed_at: z.string().nullable(),
})
export type InvestigationRecord = z.infer<typeof InvestigationRecord>

/** The record and, once completed, all that was concluded; null and empty until then. */
export const Investigation = InvestigationRecord.extend({
  ...Conclusion.shape,
  verdict: Verdict.nullable(),
  confidence: z.number().nullable(),
  score: z.number().nullable(),
  digest: z.string().nullable(),
})
export type Investigation = z.infer<typeof Investigation>

/** In lists without what fills pages. */
export const InvestigationSummary = InvestigationRecord.extend({
  verdict: Verdict.nullable(),
  confidence: z.number().nullable(),
  hosts: z.array(z.string()),
  users: z.array(z.string()),
})
export type InvestigationSummary = z.infer<typeof InvestigationSummary>

export const InvestigationListQuery = ListQuery.omit({ sort: true }).extend({
  status: InvestigationStatus.optional(),
  verdict: Verdict.optional(),
})
export type InvestigationListQuery = z.infer<typeof InvestigationListQuery>

export const InvestigationParams = z.object({ investigation_id: z.string() })
