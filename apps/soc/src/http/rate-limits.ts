import { tooMany } from '@manara/kit/errors'
import { createRateLimiter, type RateVerdict } from '@manara/kit/rate-limit'
import type { FastifyRequest } from 'fastify'
import { sql } from 'kysely'
import { sessionOf } from '../core/identity/caller.ts'
import { networkOf } from '../core/identity/sign-in-places.ts'
import { isConnectionFailure } from '../db/connection-failure.ts'
import type { Database } from '../db/database.ts'

export type RateClass = 'general' | 'investigate' | 'execute' | 'mcp' | 'chat' | 'enrol'
export type Rates = Record<RateClass, number>

const WINDOW_MS = 60_000

/** A lease of nothing means the budget is spent: kept to the window's end, so a flood costs no queries. */
type Lease = { left: number; endsAt: number; isSpent: boolean }

/**
 * Per minute and principal, else per address; one budget for all processes on a database, leased in
 * portions. While the database is away each process counts for itself.
 */
export function createRateLimits(deps: {
  rates: Rates
  database: Pick<Database, 'kysely' | 'isAvailable'>
  now?: () => number
}) {
  const { rates, database, now = () => performance.now() } = deps
  const leases = new Map<string, Lease>()
  const pending = new Map<string, Promise<Lease>>()
  const alone = createRateLimiter(alonePer(rates), now)

  async function take(rateClass: RateClass, client: string): Promise<RateVerdict> {
    if (!database.isAvailable()) return alone.take(rateClass, client)
    const key = `${rateClass} ${client}`
    try {
      for (;;) {
        const lease = currentLease(key) ?? (await renew(rateClass, key))
        if (lease.left > 0) {
          lease.left -= 1
          return { allowed: true, remaining: lease.left }
        }
        if (lease.isSpent) return refusal(lease)
      }
    } catch (error) {
      if (isConnectionFailure(error)) return alone.take(rateClass, client)
      throw error
    }
  }

  function currentLease(key: string): Lease | undefined {
    const lease = leases.get(key)
    const isUseful = lease && lease.endsAt > now() && (lease.left > 0 || lease.isSpent)
    return isUseful ? lease : undefined
  }

  function renew(rateClass: RateClass, key: string): Promise<Lease> {
    const under = pending.get(key)
    if (under) return under
    const asked = lease(rateClass, key).finally(() => pending.delete(key))
    pending.set(key, asked)
    return asked
  }

  async function lease(rateClass: RateClass, key: string): Promise<Lease> {
    sweep()
    const { rows } = await sql<{ granted: number; remaining_ms: number }>`
      SELECT * FROM lease_rate(${key}, ${rates[rateClass]}, ${WINDOW_MS})`.execute(database.kysely)
    const { granted = 0, remaining_ms = WINDOW_MS } = rows[0] ?? {}
    const fresh = { left: granted, endsAt: now() + remaining_ms, isSpent: granted === 0 }
    leases.set(key, fresh)
    return fresh
  }

  // Clients come and go: without a sweep one entry per address ever seen would stay.
  let sweepAt = 0
  function sweep() {
    if (now() < sweepAt) return
    sweepAt = now() + WINDOW_MS
    for (const [key, { endsAt }] of leases) if (endsAt <= now()) leases.delete(key)
  }

  function refusal({ endsAt }: Lease): RateVerdict {
    return { allowed: false, retryAfterS: Math.max(1, Math.ceil((endsAt - now()) / 1_000)) }
  }

  /** A check for one class: the general one stands before every route, others before their own. */
  const limit = (rateClass: RateClass) => (request: FastifyRequest) =>
    limitClient(rateClass, clientOf(request))

  async function limitClient(rateClass: RateClass, client: string): Promise<void> {
    const verdict = await take(rateClass, client)
    if (!verdict.allowed) throw tooMany(rateClass, verdict.retryAfterS)
  }

  return { limit, limitClient }
}

function alonePer(rates: Rates) {
  const per = (limit: number) => ({ limit, windowMs: WINDOW_MS })
  return {
    general: per(rates.general),
    investigate: per(rates.investigate),
    execute: per(rates.execute),
    mcp: per(rates.mcp),
    chat: per(rates.chat),
    enrol: per(rates.enrol),
  }
}

function clientOf(request: FastifyRequest): string {
  const session = sessionOf(request)
  if (!session) return `address ${networkOf(request.ip)}`
  const { kind, id, username } = session.principal
  return kind === 'api_key' ? `key ${session.id}` : `user ${id ?? username}`
}
