import { z } from 'zod'
import { ListQuery, listOf, moment } from './lists.ts'
import { filledText, text } from './text.ts'

export const ReparseCreate = z.strictObject({
  source: filledText(200).meta({ description: 'Whose stored events, by their exact source' }),
  from: moment.optional().meta({ description: 'By the time of the events' }),
  to: moment.optional(),
  dry_run: z
    .boolean()
    .default(false)
    .meta({ description: 'Counts and shows what would change, and changes nothing' }),
})
export type ReparseCreate = z.infer<typeof ReparseCreate>

export const ReparseStatus = z.enum(['queued', 'running', 'done', 'cancelled', 'failed'])
export type ReparseStatus = z.infer<typeof ReparseStatus>

const Shown = z.union([z.string(), z.number(), z.boolean(), z.null(), z.array(z.unknown())])

export const ReparseExample = z.object({
  log_id: z.string(),
  message: z.string(),
  changes: z.array(z.object({ field: z.string(), before: Shown, after: Shown })),
})
export type ReparseExample = z.infer<typeof ReparseExample>

export const Reparse = z.object({
  id: z.string(),
  source: z.string(),
  from: z.string().nullable(),
  to: z.string().nullable(),
  dry_run: z.boolean(),
  status: ReparseStatus,
  total: z
    .int()
    .nullable()
    .meta({ description: 'How many events there were when it began; null before that' }),
  progress: z.number().meta({ description: 'From 0 to 1' }),
  read: z.int().meta({ description: 'Events looked at until now' }),
  changed: z.int().meta({ description: 'Of these, read differently now; in a dry run, would be' }),
  unchanged: z.int(),
  failed: z.int().meta({ description: 'Could not be read again, and stay as they are' }),
  too_new: z.int().meta({
    description:
      'Would change, but came in on a day that is not over, which ClickHouse cannot replace yet: run it again tomorrow',
  }),
  examples: z.array(ReparseExample).meta({ description: 'The first ten that change' }),
  error: z.string().nullable(),
  created_by: z.string(),
  created_at: z.string(),
  started_at: z.string().nullable(),
  finished_at: z.string().nullable(),
})
export type Reparse = z.infer<typeof Reparse>

export const ReparseParams = z.object({ id: z.string() })
export const ReparseListQuery = ListQuery.pick({ skip: true, limit: true, cursor: true }).extend({
  source: text(200).optional(),
})
export type ReparseListQuery = z.infer<typeof ReparseListQuery>
export const ReparseList = listOf(Reparse)
