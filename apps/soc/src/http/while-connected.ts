import { AppError } from '@manara/kit/errors'
import type { FastifyReply } from 'fastify'

/** Runs `work` with a signal that stops it when the caller goes away before the answer. */
export async function whileConnected<T>(
  reply: FastifyReply,
  work: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  const gone = new AbortController()
  const leave = () => gone.abort()
  if (reply.raw.destroyed) leave()
  else reply.raw.once('close', leave)
  try {
    return await work(gone.signal)
  } catch (error) {
    // Nobody reads it: it only keeps the stopped engine's complaint out of the error log.
    if (gone.signal.aborted) throw new AppError(499, 'the caller has gone')
    throw error
  } finally {
    reply.raw.off('close', leave)
  }
}
