import { z } from 'zod'
import { Alert } from './alerts.ts'
import { CaseDetail } from './cases.ts'
import { ListQuery, listOf, someOf, wholeNumber } from './lists.ts'
import { Severity } from './severity.ts'
import { text } from './text.ts'

export const Log = z.object({
  id: z.string(),
  timestamp: z.string(),
  source: z.string(),
  host: z.string().nullable().meta({ description: 'The machine it happened on' }),
  collector: z
    .string()
    .nullable()
    .meta({ description: 'Who forwarded it, where that is another machine' }),
  severity: z.string(),
  message: z.string(),
  user: z.string().nullable(),
  process: z.string().nullable(),
  event_code: z.string().nullable(),
  src_ip: z.string().nullable(),
  dst_ip: z.string().nullable(),
  fields: z
    .record(z.string(), z.unknown())
    .meta({ description: 'As the sender shaped them, with what a parser added' }),
})
export type Log = z.infer<typeof Log>

/** Why an answer is not whole. */
export const PartialAnswer = z
  .object({ reason: z.enum(['time_limit', 'shard_unavailable', 'damaged']), detail: z.string() })
  .nullable()
  .meta({ description: 'null when the answer is whole' })

/** Which events: the query language, and equalities beside it. */
export const LogFilter = z.strictObject({
  q: text(15_000)
    .optional()
    .meta({ description: 'In the query language: `host:web-* AND "failed password"`' }),
  source: text(500).optional(),
  host: text(500).optional(),
  severity: z
    .string()
    .toLowerCase()
    .pipe(someOf(Severity))
    .meta({
      type: 'string',
      examples: ['high'],
      description: 'critical, high, medium, low or info; several with commas between',
    })
    .optional(),
  from: ListQuery.shape.from,
  to: ListQuery.shape.to,
})
export type LogFilter = z.infer<typeof LogFilter>

export const LogListQuery = LogFilter.extend({
  ...ListQuery.pick({ skip: true, limit: true, order: true }).shape,
  // It holds an id of 512 characters, each of which may take six bytes.
  cursor: text(5_000).optional(),
})
export type LogListQuery = z.infer<typeof LogListQuery>

export const LogList = listOf(Log).extend({
  is_total_exact: z.boolean().meta({ description: 'False when there are more than `total`' }),
  partial: PartialAnswer,
  notes: z.array(z.string()).meta({
    description: 'Names of fields that no event has, and why nothing was found',
  }),
})
export type LogList = z.infer<typeof LogList>

export const LogCount = z.object({
  total: z.int(),
  is_total_exact: LogList.shape.is_total_exact,
  partial: PartialAnswer,
})
export type LogCount = z.infer<typeof LogCount>

/** One event as JSON a line: text on the wire, a stream to who sends it. */
export const LogLines = z.string() as unknown as z.ZodType<AsyncIterable<unknown>>

export const LogParams = z.object({ log_id: z.string() })

export const HistogramQuery = LogFilter.extend({
  bucket_s: wholeNumber(1, 31_536_000)
    .optional()
    .meta({ description: 'Seconds a bucket; chosen to fit when left out' }),
  by: z.enum(['severity', 'source']).optional(),
})
export type HistogramQuery = z.infer<typeof HistogramQuery>

export const Histogram = z.object({
  from: z.string(),
  to: z.string(),
  bucket_s: z.int(),
  buckets: z.array(
    z.object({
      from: z.string(),
      count: z.int(),
      counts: z
        .record(z.string(), z.int())
        .meta({ description: 'By the values of `by`; empty without' }),
    }),
  ),
  partial: PartialAnswer,
})
export type Histogram = z.infer<typeof Histogram>

export const LogFields = z.object({
  items: z.array(
    z.object({
      name: z.string(),
      types: z.array(z.enum(['text', 'number', 'boolean'])),
      count: z.int(),
      distinct: z.int().meta({ description: 'Estimated where there are many' }),
    }),
  ),
  partial: PartialAnswer,
})

export const FieldParams = z.object({ name: z.string() })
export const FieldValuesQuery = LogFilter.extend({ limit: wholeNumber(1, 1_000).default(10) })
export const FieldValues = z.object({
  field: z.string(),
  items: z.array(z.object({ value: z.string(), count: z.int() })),
  partial: PartialAnswer,
})

export const LogSource = z.object({
  source: z.string(),
  events: z.int(),
  first_event_at: z.string(),
  last_event_at: z.string(),
  last_received_at: z.string().nullable(),
  events_per_minute: z.number().meta({ description: 'Over the last five minutes' }),
  lag_s: z.number().nullable().meta({
    description: 'From the time of an event to its arrival, on average over the last hours',
  }),
  parse_share: z
    .number()
    .nullable()
    .meta({ description: 'What part a parser read over the last 24 hours; null when none came' }),
  state: z.enum(['learning', 'active', 'silent']).meta({
    description: 'learning: its rhythm is not known yet, silence raises no alert',
  }),
  silent_since: z.string().nullable(),
  silence_s: z.number().nullable().meta({ description: 'Since its last event came' }),
  expected_by: z
    .string()
    .nullable()
    .meta({ description: 'When its silence becomes an alert; null while learning or silent' }),
  alert_id: z.string().nullable().meta({ description: 'Of the silence' }),
  is_new: z.boolean().meta({ description: 'First seen within the last day' }),
})
export type LogSource = z.infer<typeof LogSource>
export const SourceListQuery = ListQuery.pick({ skip: true, limit: true, cursor: true })

export const LogPromote = z.strictObject({
  create_case: z.boolean().default(false),
  rule_id: text(200).nullish(),
})
export type LogPromote = z.infer<typeof LogPromote>

export const Promoted = z.object({ alert: Alert, case: CaseDetail.nullable() })
