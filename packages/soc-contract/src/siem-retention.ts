import { z } from 'zod'
import { wholeNumber } from './lists.ts'
import { Timestamp } from './text.ts'

const MOST_DAYS = 36_500

/** As in SOC_RETENTION_BY_SOURCE: `dns=7,sshd=365`. */
const DaysBySource = z
  .string()
  .max(10_000)
  .transform((text, context) => {
    const days: [string, number][] = []
    for (const pair of text.split(',').map((one) => one.trim())) {
      if (pair === '') continue
      const [, source = '', count = ''] = /^(.*)=(\d{1,5})$/.exec(pair) ?? []
      if (source.trim() === '' || Number(count) < 1 || Number(count) > MOST_DAYS) {
        context.addIssue(`${JSON.stringify(pair)} is not source=days, from 1 to ${MOST_DAYS} days`)
        return z.NEVER
      }
      days.push([source.trim(), Number(count)])
    }
    return Object.fromEntries(days)
  })
  .meta({ type: 'string', examples: ['dns=7,sshd=365'] })

/** Limits to try; what is left out is as it is set, 0 is no limit. */
export const RetentionQuery = z.strictObject({
  days: wholeNumber(0, MOST_DAYS).optional(),
  bytes: wholeNumber(0, 2 ** 49).optional(),
  by_source: DaysBySource.optional(),
})
export type RetentionQuery = z.infer<typeof RetentionQuery>

const RetentionLimits = z.object({
  days: z.int().nullable(),
  bytes: z.int().nullable(),
  by_source: z.record(z.string(), z.int()),
})

/** What is stored, how long it stays, and what would go now under these limits. */
export const LogRetention = z.object({
  engine: z.string(),
  events: z.int(),
  bytes: z.int(),
  oldest_at: Timestamp.nullable(),
  disk_free: z.int().nullable(),
  set: RetentionLimits.meta({ description: 'In force: SOC_RETENTION_*' }),
  limits: RetentionLimits.meta({ description: 'What the rest of this answer is about' }),
  goes: z.object({
    events: z.int().meta({ description: 'By their age' }),
    bytes: z.int().meta({
      description: 'Beyond the size limit as it is now; the oldest events go until the rest fits',
    }),
  }),
  sources: z.array(
    z.object({
      source: z.string(),
      events: z.int(),
      oldest_at: Timestamp,
      newest_at: Timestamp,
      days: z.int().nullable(),
      goes: z.int(),
    }),
  ),
  is_exact: z.boolean(),
})
export type LogRetention = z.infer<typeof LogRetention>
