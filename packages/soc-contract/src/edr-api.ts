import { z } from 'zod'
import { EndpointCommand, EndpointStatus } from './edr.ts'
import { text } from './text.ts'

/** What goes over the wire between the soc and an EDR: docs/edr.md. */
const label = text(255).nullable().default(null)

const ReportedEndpoint = z.object({
  id: text(200).min(1),
  hostname: text(255).min(1),
  ips: z.array(text(64)).max(100).default([]),
  os: z
    .object({ name: label, version: label, arch: label })
    .default({ name: null, version: null, arch: null }),
  agent_version: label,
  status: EndpointStatus.exclude(['unknown']),
  isolation: z.enum(['none', 'isolated']),
  labels: z.array(text(255)).max(100).default([]),
  last_seen_at: z.iso.datetime({ offset: true }),
})
export type ReportedEndpoint = z.infer<typeof ReportedEndpoint>

export const EdrEndpointPage = z.object({
  endpoints: z.array(ReportedEndpoint).max(1_000),
  next_cursor: z.string().nullable(),
})
export type EdrEndpointPage = z.infer<typeof EdrEndpointPage>

export const EdrOrder = z.object({
  action_id: z.string().min(1).max(200),
  endpoint_id: z.string(),
  command: EndpointCommand,
})

export const EdrOutcome = z.object({
  status: z.enum(['accepted', 'running', 'completed', 'failed']),
  detail: text(2_000).nullable().default(null),
})
