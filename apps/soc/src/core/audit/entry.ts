import type { AuditOutcome } from '@manara/soc-contract/audit'
import type { FastifyRequest } from 'fastify'
import type { Principal } from '../identity/principal.ts'

export type AuditEntry = {
  actor: string
  actor_kind: string
  action: string
  target: string
  /** `done` and `preview` are changes; `refused` is a caller kept out, `blocked` the mode's no. */
  outcome: AuditOutcome
  detail?: string | undefined
  before?: object | null | undefined
  after?: object | null | undefined
  address?: string | undefined
  request_id?: string | undefined
}

/** Who and from where; without a principal the address is all that is known. */
export function callerOf(request: FastifyRequest, principal: Principal | undefined) {
  return {
    actor: principal?.username ?? 'anonymous',
    actor_kind: principal?.kind ?? 'anonymous',
    address: request.ip,
    request_id: request.id,
  }
}
