import type { EndpointCommand } from '@manara/soc-contract/edr'
import type { ReportedEndpoint } from '@manara/soc-contract/edr-api'

export type ActionOrder = {
  /** Sent as the idempotency key: however often it is sent, the endpoint is acted upon once. */
  actionId: string
  /** The EDR's own id. */
  endpointId: string
  command: EndpointCommand
}

/** `offline`: nothing was done, send it again when the endpoint is back. */
export type ActionOutcome = {
  status: 'running' | 'completed' | 'failed' | 'offline'
  detail: string | null
}

/**
 * The product that acts on endpoints. A call rejects when there was no valid answer (away, wrong
 * secret, nonsense): then nothing is known, and the same order may be sent again.
 */
export type EdrClient = {
  readonly name: string
  /** All endpoints, page by page. */
  endpoints(): AsyncIterable<ReportedEndpoint[]>
  act(order: ActionOrder): Promise<ActionOutcome>
  /** Resolves to nothing when the EDR never heard of it. */
  outcome(order: ActionOrder): Promise<ActionOutcome | undefined>
}
