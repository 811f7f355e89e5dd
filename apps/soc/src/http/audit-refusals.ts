import { AppError } from '@manara/kit/errors'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { callerOf } from '../core/audit/entry.ts'
import type { RecordAudit } from '../core/audit/record-audit.ts'
import { sessionOf } from '../core/identity/caller.ts'

const SIGN_IN = new Set(['/api/v1/auth/token', '/api/v1/auth/passkeys'])

/** Everyone who was turned away, with what they wanted. Sign-in writes its own entry, with the name. */
export function auditRefusals(recordAudit: RecordAudit) {
  return async (request: FastifyRequest, _reply: FastifyReply, error: Error): Promise<void> => {
    const { url } = request.routeOptions
    if (!(error instanceof AppError) || SIGN_IN.has(url ?? '')) return
    if (error.status !== 401 && error.status !== 403) return
    await recordAudit([
      {
        ...callerOf(request, sessionOf(request)?.principal),
        action: `${request.method} ${url}`,
        target: request.url.split('?')[0] ?? '',
        outcome: 'refused',
        detail: error.message,
      },
    ])
  }
}
