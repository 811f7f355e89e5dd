import { z } from 'zod'
import { ListQuery, moment, someOf } from './lists.ts'
import { Severity } from './severity.ts'
import { filledText, JsonObject, RecordId, text } from './text.ts'

export const AlertStatus = z.enum([
  'new',
  'triaged',
  'investigating',
  'escalated',
  'resolved',
  'closed',
  'suppressed',
])
export type AlertStatus = z.infer<typeof AlertStatus>

/** Nobody works on it any more; the same thing happening again opens it anew. */
export const SETTLED: readonly AlertStatus[] = ['resolved', 'closed', 'suppressed']

export const Alert = z.object({
  id: z.string(),
  title: z.string(),
  description: z.string().nullable(),
  source: z.string(),
  source_ref: z.string().nullable(),
  severity: Severity,
  status: AlertStatus,
  resolution: z.string().nullable(),
  iocs: z.array(z.string()),
  host: z.string().nullable(),
  site_id: z.string().nullable(),
  assignee: z.string().nullable(),
  tags: z.array(z.string()),
  rule_id: z.string().nullable(),
  mitre_techniques: z.array(z.string()),
  dedup_hash: z.string(),
  occurrence_count: z.int(),
  first_seen_at: z.string(),
  /** Of the events, by their own time; `created_at` is when it was raised. */
  last_seen_at: z.string(),
  /** The first person who took it up: no pipeline and no agent. */
  acknowledged_by: z.string().nullable(),
  acknowledged_at: z.string().nullable(),
  /** Who settled it last, kept when it opens again. */
  closed_by: z.string().nullable(),
  closed_at: z.string().nullable(),
  /** How often it came again after it was settled. */
  reopened_count: z.int(),
  reopened_at: z.string().nullable(),
  case_id: z.string().nullable(),
  raw: z.record(z.string(), z.unknown()).nullable(),
  created_at: z.string(),
  updated_at: z.string(),
})
export type Alert = z.infer<typeof Alert>

const Tags = z.array(filledText(100)).max(100)

export const AlertCreate = z
  .strictObject({
    title: filledText(500),
    source: filledText(200),
    severity: Severity.default('medium'),
    status: AlertStatus.default('new'),
    description: text(20_000).nullish(),
    source_ref: text(500).nullish(),
    iocs: z.array(filledText(2_048)).max(500).default([]),
    host: text(255).nullish(),
    site_id: RecordId.nullish(),
    assignee: text(320).nullish(),
    tags: Tags.default([]),
    rule_id: RecordId.nullish(),
    mitre_techniques: z.array(filledText(20)).max(100).default([]),
    raw: JsonObject.nullish(),
    /** When it happened, by the events' own time; now if not said, or at `last_seen_at` alone. */
    first_seen_at: moment.optional(),
    last_seen_at: moment.optional(),
  })
  .refine(({ first_seen_at: first, last_seen_at: last }) => !first || !last || first <= last, {
    path: ['first_seen_at'],
    message: 'must not be after last_seen_at',
  })
export type AlertCreate = z.infer<typeof AlertCreate>

/** Title, source and IOCs identify an alert, so they never change. */
export const AlertUpdate = z
  .strictObject({
    status: AlertStatus,
    resolution: text(2_000).nullable(),
    severity: Severity,
    description: text(20_000).nullable(),
    assignee: text(320).nullable(),
    tags: Tags,
  })
  .partial()
  .refine((body) => Object.keys(body).length > 0, 'must change something')
export type AlertUpdate = z.infer<typeof AlertUpdate>

/** Equalities and times by which alerts are listed or changed in bulk. */
export const AlertFilter = z
  .strictObject({
    /** Any of these: `high,critical`. */
    severity: someOf(Severity),
    status: someOf(AlertStatus),
    source: text(200),
    assignee: text(320),
    case_id: RecordId,
    rule_id: RecordId,
    host: text(255),
    tag: text(100),
    /** Created at or after `from` and before `to`. */
    from: moment,
    to: moment,
    updated_since: moment,
    q: filledText(500),
  })
  .partial()
export type AlertFilter = z.infer<typeof AlertFilter>

export const AlertListQuery = ListQuery.extend({
  ...AlertFilter.shape,
  sort: z
    .enum(['created_at', 'updated_at', 'last_seen_at', 'severity', 'occurrence_count'])
    .default('created_at'),
})
export type AlertListQuery = z.infer<typeof AlertListQuery>

/** How many alerts one change can be of: the audit log names every one of them. */
const MOST_AT_ONCE = 10_000

/** By `ids`, or by `filter`, which must not be empty: "all alerts" is never meant. */
export const AlertBulk = z
  .strictObject({
    ids: z.array(text(200)).min(1).max(MOST_AT_ONCE).optional(),
    filter: AlertFilter.refine(
      (filter) => Object.keys(filter).length > 0,
      'must not be empty',
    ).optional(),
    /** These stay as they are, although the filter finds them. */
    except: z.array(text(200)).max(MOST_AT_ONCE).optional(),
    /** Of those in another status no more than so many; asked for again while `has_more`. */
    most: z.int().min(1).max(MOST_AT_ONCE).optional(),
    status: AlertStatus,
    resolution: text(2_000).nullish(),
  })
  .refine((body) => body.except === undefined || body.filter !== undefined, {
    path: ['except'],
    message: 'goes with filter',
  })
  .refine((body) => body.most === undefined || body.filter !== undefined, {
    path: ['most'],
    message: 'goes with filter',
  })
  .refine((body) => (body.ids === undefined) !== (body.filter === undefined), {
    path: ['ids'],
    message: 'send either ids or filter',
  })
export type AlertBulk = z.infer<typeof AlertBulk>

/** `matched` alerts were asked for; `updated` of them had another status or resolution before. */
export const AlertBulkResult = z.object({
  matched: z.int(),
  updated: z.int(),
  status: AlertStatus,
  /** The ids of those that changed, by the status they had: sent back one by one it is undone. */
  before: z.partialRecord(AlertStatus, z.array(z.string())),
  /** Where `most` was asked for: whether others are left. */
  has_more: z.boolean().optional(),
})
export type AlertBulkResult = z.infer<typeof AlertBulkResult>

export const AlertPromote = z
  .strictObject({ description: text(20_000).nullable(), assignee: text(320).nullable() })
  .partial()

export const AlertCaseLink = z.strictObject({ case_id: text(200) })

export const AlertParams = z.object({ alert_id: z.string() })
