import { z } from 'zod'
import { RuleCreate } from './detections.ts'
import { moment } from './lists.ts'
import { Log } from './siem.ts'
import { filledText, text } from './text.ts'

const switchText = z.enum(['true', 'false'])

export const RuleImportQuery = z.strictObject({
  /** New rules begin in this state, known ones are set to it; without it those keep theirs. */
  enable: switchText.optional(),
})

/** The version of each rule by the id of its file; null for one that is not there yet. */
const ImportPlan = z.record(filledText(200), z.int().nullable())
export type ImportPlan = z.infer<typeof ImportPlan>

export const RuleImportFiles = z.strictObject({
  files: z
    .array(z.strictObject({ name: filledText(1_000), content: text(4 * 1024 * 1024) }))
    .min(1)
    .max(20_000),
  plan: ImportPlan.optional(),
})
export type RuleImportFiles = z.infer<typeof RuleImportFiles>

export const RuleImportResult = z.object({
  imported: z.int(),
  updated: z.int(),
  skipped: z.array(z.object({ file: z.string(), reason: z.string() })),
  items: z.array(
    z.object({
      id: z.string(),
      sigma_id: z.string().nullable(),
      name: z.string(),
      kind: z.string(),
      enabled: z.boolean(),
      action: z.enum(['imported', 'updated']),
      file: z.string(),
      warnings: z.array(z.string()),
    }),
  ),
})
export type RuleImportResult = z.infer<typeof RuleImportResult>

/** The body of a new rule and the days it is tried on; `rule_id` when it is to change that rule. */
export const RulePreviewRequest = RuleCreate.extend({
  name: RuleCreate.shape.name.default('Draft'),
  rule_id: text(200).optional(),
  days: z.int().min(1).max(90).default(7),
})
export type RulePreviewRequest = z.infer<typeof RulePreviewRequest>

export const RulePreview = z.object({
  total: z.int(),
  /** By the day of the event in UTC; every day of the stretch is there. */
  matches_per_day: z.array(z.object({ date: z.string(), matches: z.int() })),
  /** The newest matches, at most 20. */
  sample_logs: z.array(Log),
  /** Alerts that are there and that this rule would have raised too. */
  existing_alerts: z.array(
    z.object({ id: z.string(), title: z.string(), severity: z.string(), status: z.string() }),
  ),
  /** How many alerts there would have been; one may stand for many matches. */
  alert_count: z.int(),
  /** From verdicts on the alerts above and on the rule itself; null when there are none. */
  estimated_false_positive_rate: z.number().nullable(),
  estimated_false_positives: z.int().nullable(),
  feedback_count: z.int(),
  warnings: z.array(z.string()),
  from: z.string(),
  to: z.string(),
  events_scanned: z.int(),
  /** Why this is not the whole answer; null when it is. */
  partial: z.string().nullable(),
})
export type RulePreview = z.infer<typeof RulePreview>

export const BacktestRequest = z
  .strictObject({
    rule_ids: z.array(text(200)).min(1).max(20_000).optional(),
    tag: filledText(200).optional(),
    all: z.literal(true).optional(),
    from: moment,
    to: moment,
    include_ids: z.boolean().default(false),
    skip: z.int().min(0).default(0),
    limit: z.int().min(1).max(5_000).default(5_000),
  })
  .refine((body) => [body.rule_ids, body.tag, body.all].filter(Boolean).length === 1, {
    path: ['rule_ids'],
    message: 'name the rules by exactly one of rule_ids, tag and all',
  })
  .refine(({ from, to }) => from < to, { path: ['from'], message: 'must be before to' })
export type BacktestRequest = z.infer<typeof BacktestRequest>

export const Backtest = z.object({
  items: z.array(
    z.object({
      rule_id: z.string(),
      sigma_id: z.string().nullable(),
      name: z.string(),
      match_count: z.int(),
      log_ids: z.array(z.string()).optional(),
      are_ids_cut: z.boolean().optional().meta({
        description:
          'True when there are more than the ids that are listed: `match_count` counts all',
      }),
      error: z.string().optional(),
    }),
  ),
  rules: z
    .int()
    .meta({ description: 'All that were named, of which `skip` and `limit` choose a page' }),
  events_scanned: z.int(),
  duration_ms: z.int(),
  partial: z.string().nullable(),
})
export type Backtest = z.infer<typeof Backtest>

export const Coverage = z.object({
  attack_version: z.string(),
  /** Techniques are counted without their sub-techniques, which cover them. */
  tactics: z.array(
    z.object({
      id: z.string(),
      name: z.string(),
      techniques: z.int(),
      covered_techniques: z.int(),
      alerts_30d: z.int(),
    }),
  ),
  /** Those that a rule or an alert names. */
  techniques: z.array(
    z.object({
      id: z.string(),
      name: z.string(),
      tactics: z.array(z.string()),
      /** When ATT&CK has revoked it. */
      replaced_by: z.string().nullable(),
      rules: z.int(),
      enabled_rules: z.int(),
      /** At most 50, those that are on first. */
      rule_ids: z.array(z.string()),
      alerts_30d: z.int(),
    }),
  ),
})
export type Coverage = z.infer<typeof Coverage>
