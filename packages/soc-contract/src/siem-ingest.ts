import { z } from 'zod'
import { Timestamp } from './text.ts'

export const IngestWay = z.enum([
  'api',
  'hec',
  'elastic',
  'otlp',
  'syslog_udp',
  'syslog_tcp',
  'syslog_tls',
])
export type IngestWay = z.infer<typeof IngestWay>

/** Why events, or whole requests, were not taken in. */
export const RefusalReason = z.enum([
  'invalid',
  'too_large',
  'queue_full',
  'not_allowed',
  'rate_limit',
  'store_unavailable',
  'store_error',
])
export type RefusalReason = z.infer<typeof RefusalReason>

/**
 * One event as `POST /siem/logs` takes it. All names are optional, and any other is a field of the
 * event; those inside `fields` are, too.
 */
const IncomingLog = z.looseObject({
  id: z.string().min(1).max(512).optional(),
  timestamp: z.union([z.string(), z.number()]).optional(),
  source: z.string().optional(),
  host: z.string().optional(),
  severity: z.union([z.string(), z.number()]).optional(),
  message: z.string().optional(),
  user: z.string().optional(),
  process: z.string().optional(),
  event_code: z.union([z.string(), z.number()]).optional(),
  src_ip: z.string().optional(),
  dst_ip: z.string().optional(),
  fields: z.record(z.string(), z.unknown()).optional(),
})

/** Also a list of events, one event alone, or one a line with `application/x-ndjson`. */
export const IngestBody = z.object({ events: z.array(IncomingLog) })

export const IngestAnswer = z.object({
  accepted: z.int().meta({ description: 'On disk, or already there under the same id' }),
  rejected: z.int(),
  errors: z
    .array(z.object({ index: z.int(), field: z.string().optional(), message: z.string() }))
    .meta({ description: 'Of the first hundred rejected events' }),
})
export type IngestAnswer = z.infer<typeof IngestAnswer>

const Tally = z.object({
  received: z.int(),
  stored: z.int(),
  duplicates: z.int(),
  refused: z.int(),
})

export const SiemStats = z.object({
  engine: z.string(),
  events: z.int(),
  bytes: z.int(),
  oldest_at: Timestamp.nullable(),
  since: Timestamp.meta({ description: 'When this process began to count' }),
  totals: Tally,
  queue: z.object({
    events: z.int(),
    bytes: z.int(),
    most_events: z.int(),
    most_bytes: z.int(),
  }),
  ways: z.array(
    Tally.extend({
      way: IngestWay,
      unread: z.int().meta({ description: 'Kept as text, whole or from some place on' }),
      refused_by_reason: z.partialRecord(RefusalReason, z.int()),
    }),
  ),
  senders: z
    .array(
      z.object({
        sender: z.string().meta({ description: 'An address, with a user where one signed in' }),
        way: IngestWay,
        events: z.int(),
        unread: z.int(),
        refused: z.int(),
        last_at: Timestamp,
        slowed_until: Timestamp.nullable().meta({
          description: 'Until then its events are kept as text: one of them took too long to read',
        }),
      }),
    )
    .meta({ description: 'The fifty that give most trouble, then those that send most' }),
  sources: z.array(
    Tally.extend({
      source: z.string(),
      last_event_at: Timestamp.nullable(),
      last_received_at: Timestamp.nullable(),
      events_per_minute: z.number().meta({ description: 'Over the last five minutes' }),
      per_minute: z.array(z.int()).meta({ description: 'The last hour, oldest minute first' }),
    }),
  ),
})
export type SiemStats = z.infer<typeof SiemStats>
