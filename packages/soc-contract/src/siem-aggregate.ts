import { z } from 'zod'
import { LogFilter, PartialAnswer } from './siem.ts'
import { text } from './text.ts'

const COMPARISONS = ['>', '>=', '<', '<=', '==', '!='] as const

export const AggregateRequest = LogFilter.extend({
  by: z.array(text(500)).max(4).default([]).meta({
    description:
      'Names of fields, and `time:1h` (or s, m, d, w) for stretches of time; none gives one row over everything',
  }),
  measures: z.array(text(600)).min(1).max(10).default(['count']).meta({
    description:
      '`count`, `distinct(user)`, `min(bytes)`, `max(bytes)`, `sum(bytes)`, `avg(bytes)`, `p95(bytes)`; numbers are the values whose text is one',
  }),
  having: z
    .array(z.strictObject({ measure: text(600), is: z.enum(COMPARISONS), value: z.number() }))
    .max(10)
    .default([]),
  sort: text(600).optional().meta({ description: 'A measure or one of `by`; the first measure' }),
  order: z.enum(['asc', 'desc']).default('desc'),
  limit: z.int().min(1).max(10_000).default(50),
})
export type AggregateRequest = z.infer<typeof AggregateRequest>

export const AggregateQuery = z.strictObject({
  format: z.enum(['json', 'csv', 'ndjson']).default('json'),
})

export const AggregateAnswer = z.object({
  columns: z.array(z.string()),
  rows: z.array(z.array(z.union([z.string(), z.number(), z.null()]))),
  total_groups: z.int(),
  is_exact: z
    .boolean()
    .meta({ description: 'False when there were too many groups to look at all of them' }),
  partial: PartialAnswer,
  notes: z.array(z.string()),
})
export type AggregateAnswer = z.infer<typeof AggregateAnswer>
