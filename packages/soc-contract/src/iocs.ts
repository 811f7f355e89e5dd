import { z } from 'zod'
import { ListQuery, moment, wholeNumber } from './lists.ts'
import { filledText, text } from './text.ts'

export const IocType = z.enum([
  'ip',
  'cidr',
  'domain',
  'url',
  'sha256',
  'sha1',
  'md5',
  'imphash',
  'email',
  'cve',
])
export type IocType = z.infer<typeof IocType>

/** From what may be told to anyone to what stays with the reader. */
export const Tlp = z.enum(['clear', 'green', 'amber', 'amber+strict', 'red'])
export type Tlp = z.infer<typeof Tlp>

export const Lookback = z.enum(['pending', 'done', 'partial'])
export type Lookback = z.infer<typeof Lookback>

export const Ioc = z.object({
  id: z.string(),
  type: IocType,
  value: z.string(),
  /** As it was given. */
  score: z.int(),
  /** What is left of it today; 0 when revoked, over or not yet valid. */
  effective_score: z.int(),
  tlp: Tlp,
  valid_from: z.string(),
  valid_until: z.string().nullable(),
  revoked: z.boolean(),
  sources: z.array(z.string()),
  tags: z.array(z.string()),
  description: z.string().nullable(),
  sightings: z.int(),
  /** Further matches that were counted and not kept, since they came too often; about. */
  unrecorded_sightings: z.int(),
  first_sighted_at: z.string().nullable(),
  last_sighted_at: z.string().nullable(),
  /** Whether the stored logs were searched for it; `partial` when a limit ended the search. */
  lookback: Lookback,
  created_by: z.string(),
  created_at: z.string(),
  updated_at: z.string(),
})
export type Ioc = z.infer<typeof Ioc>

const Score = z.int().min(0).max(100)
const Tags = z.array(filledText(100)).max(100)

export const IocCreate = z.strictObject({
  /** Recognised from the value when left out; an import hash is written `imphash:…` then. */
  type: IocType.optional(),
  value: filledText(4_096),
  score: Score.default(50),
  tlp: Tlp.default('amber'),
  valid_from: moment.optional(),
  valid_until: moment.nullish(),
  sources: Tags.default([]),
  tags: Tags.default([]),
  description: text(5_000).nullish(),
})
export type IocCreate = z.infer<typeof IocCreate>

/** Type and value identify an indicator, so they never change. */
export const IocUpdate = z
  .strictObject({
    score: Score,
    tlp: Tlp,
    valid_from: moment,
    valid_until: moment.nullable(),
    revoked: z.boolean(),
    sources: Tags,
    tags: Tags,
    description: text(5_000).nullable(),
  })
  .partial()
  .refine((body) => Object.keys(body).length > 0, 'must change something')
export type IocUpdate = z.infer<typeof IocUpdate>

const yesNo = z.enum(['true', 'false']).transform((word) => word === 'true')

const Filter = {
  type: IocType.optional(),
  /** Defanged and any spelling will do. */
  value: filledText(4_096).optional(),
  source: text(100).optional(),
  tag: text(100).optional(),
  tlp: Tlp.optional(),
  revoked: yesNo.optional(),
  /** By what is left of the score today. */
  min_score: wholeNumber(0, 100).optional(),
  sighted: yesNo.optional(),
}

export const IocListQuery = ListQuery.extend({
  ...Filter,
  sort: z.enum(['created_at', 'updated_at', 'score', 'sightings']).default('created_at'),
})
export type IocListQuery = z.infer<typeof IocListQuery>

export const IocExportQuery = z.strictObject(Filter)
export type IocFilter = z.infer<typeof IocExportQuery> &
  Partial<Pick<IocListQuery, 'q' | 'from' | 'to' | 'updated_since'>>

export const IocImportResult = z.object({
  format: z.enum(['stix', 'misp', 'csv']),
  imported: z.int(),
  updated: z.int(),
  /** By place in the file: the object of a bundle, the attribute of an event, the row of a table. */
  skipped: z.array(z.object({ index: z.int(), reason: z.string() })),
  /** When more were skipped than are listed. */
  skipped_count: z.int(),
  ignored: z
    .array(z.object({ type: z.string(), count: z.int(), reason: z.string() }))
    .meta({ description: 'Objects of a STIX bundle that are no indicators, by their type' }),
  ignored_count: z.int(),
})
export type IocImportResult = z.infer<typeof IocImportResult>

export const Sighting = z.object({
  ioc_id: z.string(),
  log_id: z.string(),
  seen_at: z.string(),
  /** `arrival`: the event came after the indicator; `lookback`: it was stored before. */
  direction: z.enum(['arrival', 'lookback']),
  host: z.string().nullable(),
})
export type Sighting = z.infer<typeof Sighting>

export const SightingListQuery = ListQuery.pick({
  skip: true,
  limit: true,
  cursor: true,
  order: true,
}).extend({ sort: z.enum(['seen_at']).default('seen_at') })
export type SightingListQuery = z.infer<typeof SightingListQuery>

/** As OASIS defines it; it is streamed, not checked. */
export const StixBundle = z.unknown()

export const IocParams = z.object({ id: z.string() })

export const PrevalenceQuery = z.strictObject({
  type: IocType.optional(),
  value: filledText(4_096),
})
export type PrevalenceQuery = z.infer<typeof PrevalenceQuery>

/** Where the logs have an indicator: what many machines have had for long is hardly an attack. */
export const Prevalence = z.object({
  type: IocType,
  value: z.string(),
  hosts: z.int(),
  host_names: z.array(z.string()).meta({ description: 'At most twenty' }),
  days: z.int(),
  events: z.int(),
  first_seen_at: z.string().nullable(),
  last_seen_at: z.string().nullable(),
  since: z.string().meta({ description: 'How far back the logs were searched' }),
  partial: z.boolean().meta({ description: 'There is more than what was looked at' }),
})
export type Prevalence = z.infer<typeof Prevalence>
