import { z } from 'zod'
import { SharingMode } from './detections.ts'
import { ListQuery, moment } from './lists.ts'
import { Role } from './permissions.ts'
import { Log, PartialAnswer } from './siem.ts'
import { filledText, text, UserId } from './text.ts'

export const HuntFields = z.strictObject({
  title: filledText(300),
  description: text(20_000),
  query: text(100_000),
  source: text(500).nullable(),
  severity: text(50).nullable(),
  host: text(500).nullable(),
  /** `private` is for who saved it, `team` for everybody, `roles` for those in `shared_with_roles`. */
  sharing_mode: SharingMode,
  shared_with_roles: z.array(Role).max(20),
  tags: z.array(filledText(100)).max(100),
})
export type HuntFields = z.infer<typeof HuntFields>

export const HuntCreate = HuntFields.extend({
  description: HuntFields.shape.description.default(''),
  query: HuntFields.shape.query.default(''),
  source: HuntFields.shape.source.default(null),
  severity: HuntFields.shape.severity.default(null),
  host: HuntFields.shape.host.default(null),
  sharing_mode: SharingMode.default('private'),
  shared_with_roles: HuntFields.shape.shared_with_roles.default([]),
  tags: HuntFields.shape.tags.default([]),
})
export type HuntCreate = z.infer<typeof HuntCreate>

export const HuntUpdate = HuntFields.partial().refine(
  (body) => Object.keys(body).length > 0,
  'must change something',
)
export type HuntUpdate = z.infer<typeof HuntUpdate>

export const Hunt = z.object({
  ...HuntFields.shape,
  id: z.string(),
  created_by: z.string(),
  created_by_id: UserId,
  created_at: z.string(),
  updated_at: z.string(),
  last_run_at: z.string().nullable(),
  last_match_count: z.int().nullable(),
})
export type Hunt = z.infer<typeof Hunt>

export const HuntListQuery = ListQuery.omit({ sort: true }).extend({
  tag: text(100).optional(),
  created_by: text(320).optional(),
})
export type HuntListQuery = z.infer<typeof HuntListQuery>

export const HuntParams = z.object({ hunt_id: z.string() })

/** When is searched, and how many of the latest matches come back. */
export const HuntRunRequest = z.strictObject({
  from: moment.optional(),
  to: moment.optional(),
  limit: z.int().min(1).max(200).default(50),
})
export type HuntRunRequest = z.infer<typeof HuntRunRequest>

export const HuntRun = z.object({
  id: z.string(),
  hunt_id: z.string(),
  run_by: z.string(),
  match_count: z.int(),
  is_count_exact: z.boolean(),
  partial: PartialAnswer,
  from: z.string().nullable(),
  to: z.string().nullable(),
  started_at: z.string(),
  duration_ms: z.int(),
})
export type HuntRun = z.infer<typeof HuntRun>

export const HuntRunListQuery = ListQuery.pick({
  skip: true,
  limit: true,
  cursor: true,
  order: true,
})
export type HuntRunListQuery = z.infer<typeof HuntRunListQuery>

export const HuntResult = z.object({
  hunt: Hunt,
  total: z.int(),
  is_total_exact: z.boolean(),
  partial: PartialAnswer,
  run: HuntRun.nullable().meta({ description: 'null in dummy mode, which records nothing' }),
  logs: z.array(Log),
})
export type HuntResult = z.infer<typeof HuntResult>
