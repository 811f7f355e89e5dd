import type { ServerResponse } from 'node:http'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { credentialUsed, principalOf } from '../core/identity/caller.ts'
import type { Principal } from '../core/identity/principal.ts'
import type { LiveSessions } from '../core/identity/sessions.ts'

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
  const { username } = principalOf(request)

  const recheck = async () => {
    if (!(await isStillWelcome(deps.sessions, request).catch(() => true))) stream.end()
  }
  const forgetChanges = deps.sessions.onChanged((changed) => {
    if (changed === undefined || changed === username) void recheck()
  })
  const timer = setInterval(() => {
    stream.keepAlive()
    void recheck()
  }, deps.keepAliveMs ?? KEEP_ALIVE_MS)

  const leave = () => {
    clearInterval(timer)
    forgetChanges()
    ended()
    stream.end()
  }
  // Who has gone while it was asked who they are does not go a second time.
  const { socket } = request.raw
  if (socket.destroyed) leave()
  else socket.once('close', leave)
}

/**
 * With other rights than they began with they have to begin anew: the owner of an API key was given
 * another role. A database that is away cannot say: then the stream stays until it can.
 */
async function isStillWelcome(sessions: LiveSessions, request: FastifyRequest): Promise<boolean> {
  const credential = credentialUsed(request)
  if (!credential) return false
  const { ofApiKey, ofToken } = sessions
  const session = await (credential.kind === 'key' ? ofApiKey : ofToken)(credential.value)
  return session !== undefined && mayTheSame(session.principal, principalOf(request))
}

const mayTheSame = (now: Principal, before: Principal) =>
  now.role === before.role &&
  now.permissions.size === before.permissions.size &&
  [...now.permissions].every((permission) => before.permissions.has(permission))
