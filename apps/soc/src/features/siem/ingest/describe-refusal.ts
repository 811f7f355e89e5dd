import { type Described, describeError } from '@manara/kit/error-body'
import type { FastifyReply } from 'fastify'
import { explainDatabaseFailure } from '../../../db/connection-failure.ts'

/** For protocols with error bodies of their own; a bug goes on to where bugs are logged. */
export function describeRefusal(thrown: unknown, reply: FastifyReply): Described {
  const error = explainDatabaseFailure(thrown)
  const described = describeError(error)
  if (described.status === 500) throw error
  if (described.retryAfter !== undefined) {
    reply.header('retry-after', String(described.retryAfter))
  }
  return described
}

/** Nothing is wrong with it: in parts it would be taken. */
export const isTooMuch = ({ status, message }: Described): boolean =>
  status === 400 && /^body: (?:is too large|.* send smaller batches)$/.test(message)
