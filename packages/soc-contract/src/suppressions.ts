import { z } from 'zod'
import { RuleParams, RunListQuery } from './detections.ts'
import { filledText, text } from './text.ts'

const Criterion = z.union(
  [
    text(2_048),
    z.number(),
    z.boolean(),
    z
      .array(z.union([text(2_048), z.number(), z.boolean()]))
      .min(1)
      .max(1_000),
  ],
  'must be a text (with * and ? as wildcards, or a network such as 10.0.0.0/8), a number, true or false, or a list of these',
)

/** All of the named fields must match. */
export const Criteria = z
  .record(filledText(200), Criterion)
  .refine((criteria) => Object.keys(criteria).length > 0, 'must name at least one field')
  .refine((criteria) => Object.keys(criteria).length <= 50, 'must name at most 50 fields')
export type Criteria = z.infer<typeof Criteria>

export const SuppressionFields = z.strictObject({
  name: filledText(300),
  reason: text(5_000),
  criteria: Criteria,
  suppress_for_hours: z.int().min(1).max(87_600),
})
export const SuppressionCreate = SuppressionFields.extend({
  reason: SuppressionFields.shape.reason.default(''),
  suppress_for_hours: SuppressionFields.shape.suppress_for_hours.default(24),
})
export type SuppressionCreate = z.infer<typeof SuppressionCreate>

/** `suppress_for_hours` counts from the change. */
export const SuppressionUpdate = SuppressionFields.partial().refine(
  (body) => Object.keys(body).length > 0,
  'must change something',
)
export type SuppressionUpdate = z.infer<typeof SuppressionUpdate>

export const Suppression = z.object({
  id: z.string(),
  rule_id: z.string(),
  name: z.string(),
  reason: z.string(),
  criteria: z.record(z.string(), z.unknown()),
  suppress_for_hours: z.int(),
  is_active: z.boolean(),
  expires_at: z.string(),
  held_count: z.int(),
  last_held_at: z.string().nullable(),
  created_by: z.string(),
  created_at: z.string(),
  updated_at: z.string(),
})
export type Suppression = z.infer<typeof Suppression>

export const SuppressionListQuery = RunListQuery.extend({
  active: z.enum(['true', 'false']).optional(),
})
export type SuppressionListQuery = z.infer<typeof SuppressionListQuery>
export const SuppressionParams = RuleParams.extend({ suppression_id: z.string() })
