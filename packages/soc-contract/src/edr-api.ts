import { z } from 'zod'
import { EndpointCommand, EndpointStatus } from './edr.ts'
import { storable } from './storable.ts'
import { text } from './text.ts'

/** What goes over the wire between the soc and an EDR: docs/edr.md. */

/** A machine says these of itself: what is too long in one must not keep all others from being read. */
const said = (most: number) => z.string().transform((words) => storable(words.slice(0, most)))
const label = said(255).nullable().default(null)
const labels = (most: number) => z.array(said(most)).transform((all) => all.slice(0, 100))

const ReportedEndpoint = z
  .object({
    id: text(200).min(1),
    hostname: said(255),
    ips: labels(64).default([]),
    os: z
      .object({ name: label, version: label, arch: label })
      .default({ name: null, version: null, arch: null }),
    agent_version: label,
    status: EndpointStatus.exclude(['unknown']),
    isolation: z.enum(['none', 'isolated']),
    labels: labels(255).default([]),
    last_seen_at: z.iso.datetime({ offset: true }),
  })
  .transform((one) => ({ ...one, hostname: one.hostname.trim() || one.id }))
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

const named = z
  .union([z.string(), z.number().transform(String)])
  .optional()
  .catch(undefined)

export const EdrOutcome = z.object({
  status: z.enum(['accepted', 'running', 'completed', 'failed']),
  detail: said(2_000).nullable().default(null),
  /** Not asked for; but what is said of another order is no answer. */
  action_id: named,
  endpoint_id: named,
  /** In the words of the EDR, which may have others than ours. */
  command: EndpointCommand.optional().catch(undefined),
})
