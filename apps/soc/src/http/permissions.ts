import { hostname } from 'node:os'
import { AppError, forbidden } from '@manara/kit/errors'
import { OPEN_TO_KEYS, type Permission, type Role } from '@manara/soc-contract/permissions'
import type { FastifyContextConfig, FastifyRequest } from 'fastify'
import { principalOf } from '../core/identity/caller.ts'

export type Access =
  | { kind: 'public' }
  /** By what the call itself proves: a one-time code, the key of a certificate. Checked by the route. */
  | { kind: 'proof' }
  | { kind: 'authenticated' }
  | { kind: 'role'; role: Role }
  | { kind: 'permissions'; permissions: Permission[] }
  /** From this machine by anybody, from elsewhere with the permission. */
  | { kind: 'local'; permission: Permission }

type Guarded = {
  onRequest(request: FastifyRequest): Promise<void>
  config: RouteConfig
}

type RouteConfig = FastifyContextConfig & {
  access: Access
  hasOwnBudget?: true
  isForEnrolling?: true
}

/** Reads like the Permission column of the contract: `...requires('detections:read', 'siem:search')`. */
export function requires(...permissions: [Permission, ...Permission[]]): Guarded {
  return guarded({ kind: 'permissions', permissions }, (request) => {
    const principal = principalOf(request)
    if (principal.kind === 'api_key' && !isOpenToKeys(request, permissions[0])) throw noKeys()
    const missing = permissions.find((permission) => !principal.permissions.has(permission))
    if (missing) throw forbidden(missing)
  })
}

/** For senders of logs, who have a budget in events instead of the general one in requests. */
export function takesLogs(): Guarded {
  const { onRequest, config } = requires('siem:ingest')
  return { onRequest, config: { ...config, hasOwnBudget: true } }
}

/** For programs beside us; a proxy on this machine says whom it forwards for, and those are not. */
export function requiresElsewhere(permission: Permission): Guarded {
  return guarded({ kind: 'local', permission }, (request) => {
    if (isLocal(request)) return
    if (!principalOf(request).permissions.has(permission)) throw forbidden(permission)
  })
}

function isLocal({ ip, headers }: FastifyRequest): boolean {
  const isForwarded = headers['x-forwarded-for'] ?? headers.forwarded ?? headers.via
  const isNear = /^(127\.|::1$|::ffff:127\.)/.test(ip)
  return isForwarded === undefined && isNear && isOwnName(headers.host)
}

/** A name of someone else's that leads here is a page in a browser on this machine (DNS rebinding). */
function isOwnName(host = ''): boolean {
  const name = host.toLowerCase().replace(/:\d*$/, '')
  return /^(localhost|127(\.\d{1,3}){3}|\[::1\])$/.test(name) || name === hostname().toLowerCase()
}

/** For people only: a key cannot administer, whoever it belongs to. */
export function requiresRole(role: Role): Guarded {
  return guarded({ kind: 'role', role }, (request) => {
    const principal = principalOf(request)
    if (principal.kind === 'api_key') throw noKeys()
    if (principal.role !== role) throw forbidden(`the ${role} role`)
  })
}

export function authenticated(): Guarded {
  return guarded({ kind: 'authenticated' }, (request) => {
    const principal = principalOf(request)
    if (principal.kind === 'api_key' && !isRead(request)) throw noKeys()
  })
}

/** Also for who must enrol a second factor and may do nothing else. */
export function whileEnrolling(): Guarded {
  const { onRequest, config } = authenticated()
  return { onRequest, config: { ...config, isForEnrolling: true } }
}

/** For callers of tools, keys included: each tool checks the permission that it needs itself. */
export const usesTools = (): Guarded => guarded({ kind: 'authenticated' }, principalOf)

/** Only health, the ways to sign in and the console's files: a test counts them. */
export function open(): { config: RouteConfig } {
  return { config: { access: { kind: 'public' } } }
}

/** For devices, which are no users: the route checks the code or the key that came with the call. */
export function provesItself(): { config: RouteConfig } {
  return { config: { access: { kind: 'proof' } } }
}

export function accessOf(config: unknown): Access | undefined {
  return (config as { access?: Access } | undefined)?.access
}

export const isForEnrolling = (config: unknown): boolean =>
  (config as { isForEnrolling?: true } | undefined)?.isForEnrolling === true

export const hasOwnBudget = (config: unknown): boolean =>
  (config as { hasOwnBudget?: true } | undefined)?.hasOwnBudget === true

function guarded(access: Access, check: (request: FastifyRequest) => void): Guarded {
  return { config: { access }, onRequest: async (request) => check(request) }
}

/** Has no body that could be waited for, either. */
export const isRead = ({ method }: FastifyRequest) => method === 'GET' || method === 'HEAD'

/** What a route is about is its first permission; the key needs all of them. */
function isOpenToKeys(request: FastifyRequest, first: Permission): boolean {
  return isRead(request) || OPEN_TO_KEYS.has(first)
}

const noKeys = () => new AppError(403, 'an API key is not accepted here: sign in')
