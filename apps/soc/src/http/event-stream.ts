import type { ServerResponse } from 'node:http'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { principalOf } from '../core/identity/caller.ts'
import type { LiveSessions } from '../core/identity/sessions.ts'
import { isStillWelcome } from './authenticate.ts'

/** Takes the reply over and begins a stream of server-sent events on it. */
export function beginEventStream(request: FastifyRequest, reply: FastifyReply): ServerResponse {
  reply.hijack()
  reply.raw.writeHead(200, {
    'content-type': 'text/event-stream',
    'cache-control': 'no-store',
    'x-accel-buffering': 'no',
    'x-content-type-options': 'nosniff',
    'x-request-id': request.id,
    // So that the end of the stream is the end of the connection, and shutdown need not wait.
    connection: 'close',
  })
  return reply.raw
}

const KEEP_ALIVE_MS = 15_000

/**
 * Keeps a stream that has no end of its own: it ends with the connection and with the caller's right
 * to listen. `ended` is called once.
 */
export function watchListener(
  deps: { sessions: LiveSessions; keepAliveMs?: number | undefined },
  request: FastifyRequest,
  stream: { keepAlive(): void; end(): void },
  ended: () => void,
) {
  const welcome = watchWelcome(deps.sessions, request, () => stream.end())
  const timer = setInterval(() => {
    stream.keepAlive()
    void welcome.recheck()
  }, deps.keepAliveMs ?? KEEP_ALIVE_MS)

  const leave = () => {
    clearInterval(timer)
    welcome.forget()
    ended()
    stream.end()
  }
  // Who has gone while it was asked who they are does not go a second time.
  const { socket } = request.raw
  if (socket.destroyed) leave()
  else socket.once('close', leave)
}

/** For answers that last: `end` is called when the caller may no longer have them. */
export function watchWelcome(sessions: LiveSessions, request: FastifyRequest, end: () => void) {
  const { username } = principalOf(request)
  // A database that is away cannot say: then the stream stays until it can.
  const recheck = async () => {
    if (!(await isStillWelcome(sessions, request).catch(() => true))) end()
  }
  const forget = sessions.onChanged((changed) => {
    if (changed === undefined || changed === username) void recheck()
  })
  return { recheck, forget }
}
