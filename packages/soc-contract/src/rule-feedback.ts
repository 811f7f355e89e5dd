import { z } from 'zod'
import { RunListQuery } from './detections.ts'
import { SuppressionFields } from './suppressions.ts'
import { JsonObject, text } from './text.ts'

const Verdict = z.enum(['true_positive', 'false_positive', 'needs_tuning'])

export const FeedbackCreate = z.strictObject({
  verdict: Verdict,
  alert_id: text(200).nullish(),
  case_id: text(200).nullish(),
  siem_log_id: text(512).nullish(),
  notes: text(20_000).nullish(),
  metadata: JsonObject.default({}),
})
export type FeedbackCreate = z.infer<typeof FeedbackCreate>

export const Feedback = z.object({
  id: z.string(),
  rule_id: z.string(),
  verdict: Verdict,
  alert_id: z.string().nullable(),
  case_id: z.string().nullable(),
  siem_log_id: z.string().nullable(),
  notes: z.string().nullable(),
  metadata: z.record(z.string(), z.unknown()),
  created_by: z.string(),
  created_at: z.string(),
})
export type Feedback = z.infer<typeof Feedback>

/** `suggested_suppression` is ready for `POST …/suppressions`; null unless it was a false positive. */
export const FeedbackCreated = Feedback.extend({
  suggested_suppression: SuppressionFields.nullable(),
})

export const FeedbackListQuery = RunListQuery.extend({ verdict: Verdict.optional() })
export type FeedbackListQuery = z.infer<typeof FeedbackListQuery>
