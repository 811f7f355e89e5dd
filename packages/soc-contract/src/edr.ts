import { z } from 'zod'
import { eachOf } from './each-of.ts'
import { ListQuery } from './lists.ts'
import { RecordId, text } from './text.ts'

/** `unknown`: seen in the logs only, no agent reports for it. */
export const EndpointStatus = z.enum(['online', 'offline', 'unknown'])
export type EndpointStatus = z.infer<typeof EndpointStatus>

export const Isolation = z.enum(['none', 'pending', 'isolated', 'releasing'])
export type Isolation = z.infer<typeof Isolation>

export const EndpointCommand = z.enum(['isolate', 'unisolate', 'scan'])
export type EndpointCommand = z.infer<typeof EndpointCommand>

/** `queued` waits for the endpoint or the EDR, `sent` was taken by the EDR and is under way. */
export const EndpointActionStatus = z.enum(['queued', 'sent', 'completed', 'failed', 'cancelled'])
export type EndpointActionStatus = z.infer<typeof EndpointActionStatus>

export const Endpoint = z.object({
  id: z.string(),
  hostname: z.string(),
  ips: z.array(z.string()),
  os: z.object({
    name: z.string().nullable(),
    version: z.string().nullable(),
    arch: z.string().nullable(),
  }),
  agent_version: z.string().nullable(),
  status: EndpointStatus,
  isolation: Isolation,
  labels: z.array(z.string()),
  site_id: z.string().nullable(),
  first_seen_at: z.string(),
  last_seen_at: z.string(),
})
export type Endpoint = z.infer<typeof Endpoint>

export const EndpointListQuery = ListQuery.extend({
  status: EndpointStatus.optional(),
  isolation: Isolation.optional(),
  hostname: text(255).optional(),
  ip: text(64).optional(),
  os: text(100).optional(),
  label: text(100).optional(),
  site_id: RecordId.optional(),
  sort: z.enum(['last_seen_at', 'first_seen_at']).default('last_seen_at'),
})
export type EndpointListQuery = z.infer<typeof EndpointListQuery>

export const EndpointUpdate = z.strictObject({ site_id: RecordId.nullable() })

/** What came of a command. `detail` says what it waits for, or why it failed. */
export const EndpointAction = z.object({
  action_id: z.string(),
  endpoint_id: z.string(),
  hostname: z.string(),
  command: EndpointCommand,
  status: EndpointActionStatus,
  simulated: z.boolean(),
  adapter: z.string(),
  requested_by: z.string(),
  reason: z.string().nullable(),
  detail: z.string().nullable(),
  attempts: z.int(),
  created_at: z.string(),
  completed_at: z.string().nullable(),
})
export type EndpointAction = z.infer<typeof EndpointAction>

export const EndpointActionListQuery = ListQuery.pick({
  skip: true,
  limit: true,
  cursor: true,
  order: true,
  from: true,
  to: true,
}).extend({
  command: EndpointCommand.optional(),
  status: EndpointActionStatus.optional(),
  endpoint_id: text(200).optional(),
  sort: z.enum(['created_at']).default('created_at'),
})
export type EndpointActionListQuery = z.infer<typeof EndpointActionListQuery>

export const EndpointActionRequest = z.strictObject({
  reason: text(2_000).nullish(),
  even_if_collector: z.boolean().default(false).meta({
    description: 'Isolates a machine that forwards the logs of others, which is refused otherwise',
  }),
})

export const EdrStats = z.object({
  total: z.int(),
  by_status: eachOf(EndpointStatus, z.int()),
  by_isolation: eachOf(Isolation, z.int()),
  actions: eachOf(EndpointActionStatus, z.int()),
  adapter: z.object({
    name: z.string(),
    configured: z.boolean(),
    /** The setting without which no command can be sent. */
    missing_setting: z.string().nullable(),
    last_poll_at: z.string().nullable(),
    last_error: z.string().nullable(),
  }),
})
export type EdrStats = z.infer<typeof EdrStats>

export const EndpointParams = z.object({ id: z.string() })
export const EndpointActionParams = z.object({ action_id: z.string() })
