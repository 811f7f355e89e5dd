import { z } from 'zod'
import { ListQuery, moment } from './lists.ts'
import { Role } from './permissions.ts'
import { Severity } from './severity.ts'
import { Log } from './siem.ts'
import { filledText, text, UserId } from './text.ts'

const RuleKind = z.enum(['query', 'threshold', 'new_terms', 'sequence'])

const FieldName = filledText(200)
const GroupBy = z.array(FieldName).max(5)
const WindowSeconds = z
  .int()
  .min(1)
  .max(30 * 86_400)

/** `count` events (or different values of `distinct_field`) of one group within the window. */
export const Threshold = z.strictObject({
  count: z.int().min(2).max(100_000),
  group_by: GroupBy.default([]),
  window_seconds: WindowSeconds,
  distinct_field: FieldName.nullable().default(null),
})
export type Threshold = z.infer<typeof Threshold>

/** A combination of values that was not seen for so many days. */
export const NewTerms = z.strictObject({
  fields: z.array(FieldName).min(1).max(5),
  look_back_days: z.int().min(1).max(365),
})
export type NewTerms = z.infer<typeof NewTerms>

const SequenceStep = z.strictObject({
  query: filledText(20_000),
  /** Where this step has the group under other names; as many as the sequence's own. */
  group_by: GroupBy.optional(),
  /** Taken only with so many events of the query; each further one takes it anew. */
  threshold: Threshold.optional(),
})
/** Each step in turn (or in any order) by one group within the window. */
export const Sequence = z.strictObject({
  steps: z.array(SequenceStep).min(2).max(10),
  group_by: GroupBy.default([]),
  window_seconds: WindowSeconds,
  is_ordered: z.boolean().default(true),
})
export type Sequence = z.infer<typeof Sequence>

export const SharingMode = z.enum(['private', 'team', 'roles'])

/** What a rule is made of; the names of the contract and, below them, our own. */
const RuleFields = z.strictObject({
  name: filledText(300),
  description: text(20_000),
  query: filledText(1024 * 1024),
  source: text(200).nullable(),
  host: text(255).nullable(),
  match_severity: text(50).nullable(),
  alert_severity: Severity,
  alert_title_template: filledText(500),
  alert_description_template: text(20_000),
  auto_create_case: z.boolean(),
  schedule_enabled: z.boolean(),
  schedule_interval_minutes: z.int().min(1).max(10_080),
  mitre_techniques: z.array(filledText(20)).max(100),
  sharing_mode: SharingMode,
  shared_with_roles: z.array(Role).max(20),
  tags: z.array(filledText(200)).max(100),
  kind: RuleKind,
  threshold: Threshold.nullable(),
  new_terms: NewTerms.nullable(),
  sequence: Sequence.nullable(),
  enabled: z.boolean(),
})
export type RuleFields = z.infer<typeof RuleFields>

export const RuleCreate = RuleFields.extend({
  description: RuleFields.shape.description.default(''),
  source: RuleFields.shape.source.default(null),
  host: RuleFields.shape.host.default(null),
  match_severity: RuleFields.shape.match_severity.default(null),
  alert_severity: RuleFields.shape.alert_severity.default('medium'),
  alert_title_template: RuleFields.shape.alert_title_template.default('{rule_name}'),
  alert_description_template: RuleFields.shape.alert_description_template.default('{message}'),
  auto_create_case: z.boolean().default(false),
  schedule_enabled: z.boolean().default(false),
  schedule_interval_minutes: RuleFields.shape.schedule_interval_minutes.default(5),
  mitre_techniques: RuleFields.shape.mitre_techniques.default([]),
  sharing_mode: SharingMode.default('team'),
  shared_with_roles: RuleFields.shape.shared_with_roles.default([]),
  tags: RuleFields.shape.tags.default([]),
  kind: RuleKind.default('query'),
  threshold: RuleFields.shape.threshold.default(null),
  new_terms: RuleFields.shape.new_terms.default(null),
  sequence: RuleFields.shape.sequence.default(null),
  enabled: z.boolean().default(true),
})
export type RuleCreate = z.infer<typeof RuleCreate>

export const RuleUpdate = RuleFields.partial()
  .extend({ version: z.int().optional() })
  .refine((body) => Object.keys(body).some((key) => key !== 'version'), 'must change something')
export type RuleUpdate = z.infer<typeof RuleUpdate>

/** Where an imported rule comes from, as it came. */
export const SigmaOrigin = z.object({ sigma_id: z.string().nullable(), source: z.string() })
export type SigmaOrigin = z.infer<typeof SigmaOrigin>

export const DetectionRule = z.object({
  ...RuleFields.shape,
  id: z.string(),
  // Stored rules were checked when they came in: a stricter check later must not hide them.
  name: z.string(),
  description: z.string(),
  query: z.string(),
  /** The id that its file gives it: a later import finds the rule by this. */
  external_id: z.string().nullable(),
  sigma: SigmaOrigin.nullable(),
  /** What was odd when the rule was saved, such as placeholders no event is known to have. */
  warnings: z.array(z.string()),
  /**
   * How many events of its source were looked at as they arrived, about: 0 is a rule that never had
   * data. Null when its source is not known, since it was imported before sources were kept.
   */
  source_events: z.int().nullable(),
  last_source_event_at: z.string().nullable(),
  /** Hits beyond the cap since the rule was last changed, counted and not recorded; about. */
  unrecorded_hits: z.int(),
  /** When that last happened; null: never. */
  capped_at: z.string().nullable(),
  /** Rises with every change; a PATCH that names an older one is 409. */
  version: z.int(),
  next_run_at: z.string().nullable(),
  last_run_at: z.string().nullable(),
  created_by: z.string(),
  created_by_id: UserId,
  created_at: z.string(),
  updated_at: z.string(),
})
export type DetectionRule = z.infer<typeof DetectionRule>

export const RuleListQuery = ListQuery.extend({
  kind: RuleKind.optional(),
  enabled: z.enum(['true', 'false']).optional(),
  schedule_enabled: z.enum(['true', 'false']).optional(),
  source: text(200).optional(),
  tag: text(200).optional(),
  technique: text(20).optional(),
  sigma_id: text(200).optional(),
  sort: z.enum(['created_at', 'updated_at']).default('created_at'),
})
export type RuleListQuery = z.infer<typeof RuleListQuery>

export const RuleParams = z.object({ rule_id: z.string() })

export const RunTrigger = z.enum(['manual', 'scheduled'])
export type RunTrigger = z.infer<typeof RunTrigger>

export const RuleRun = z.object({
  id: z.string(),
  rule_id: z.string(),
  trigger_mode: RunTrigger,
  status: z.enum(['completed', 'failed']),
  /** What matched and was not suppressed. */
  match_count: z.int(),
  suppressed_count: z.int(),
  /** Part of `match_count`: beyond the cap, so counted but not recorded and in no alert. */
  unrecorded_count: z.int(),
  sample_log_ids: z.array(z.string()),
  alert_ids: z.array(z.string()),
  /** The time of arrival (or, for a manual run that names one, of the events) it looked at. */
  window_from: z.string(),
  window_to: z.string(),
  /** How long after its time a scheduled run began. */
  lateness_ms: z.int(),
  /** How much longer than its interval nobody had looked; this run made up for it. */
  gap_ms: z.int(),
  events_scanned: z.int(),
  error: z.string().nullable(),
  run_by: z.string(),
  started_at: z.string(),
  completed_at: z.string(),
})
export type RuleRun = z.infer<typeof RuleRun>

/** Without a body: what arrived within the last 24 hours. With one: by the time of the events. */
export const RunRequest = z
  .strictObject({ from: moment.optional(), to: moment.optional() })
  .refine(({ from, to }) => !from || !to || from < to, {
    path: ['from'],
    message: 'must be before to',
  })
export type RunRequest = z.infer<typeof RunRequest>

export const RunResponse = z.object({
  rule: DetectionRule,
  /** As in the run: what matched and was not suppressed. */
  total: z.int(),
  suppressed_count: z.int(),
  run: RuleRun,
  /** The matches, newest first, at most 200, as `GET /siem/logs` shows them. */
  logs: z.array(Log),
})
export type RunResponse = z.infer<typeof RunResponse>

export const RunListQuery = ListQuery.pick({
  skip: true,
  limit: true,
  cursor: true,
  order: true,
})
export type RunListQuery = z.infer<typeof RunListQuery>

const Ranked = { rule_id: z.string(), name: z.string() }
export const DetectionMetrics = z.object({
  total_rules: z.int(),
  enabled_rules: z.int(),
  scheduled_rules: z.int(),
  /** Enabled ones of whose source no event was ever seen. */
  rules_without_data: z.int(),
  runs_24h: z.int(),
  matches_24h: z.int(),
  suppressed_24h: z.int(),
  top_rules_by_matches: z.array(z.object({ ...Ranked, matches: z.int() })),
  noisiest_rules: z.array(z.object({ ...Ranked, false_positives: z.int() })),
})
export type DetectionMetrics = z.infer<typeof DetectionMetrics>
