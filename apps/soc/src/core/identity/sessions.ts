import { unavailable } from '@manara/kit/errors'
import { permissionsOf } from '@manara/soc-contract/permissions'
import { isConnectionFailure } from '../../db/connection-failure.ts'
import type { Database } from '../../db/database.ts'
import type { Notifications } from '../../db/notifications.ts'
import { ownerOfKey, userOfToken } from './identity-store.ts'
import { API_KEY_PREFIX, type Principal, type Session, type Sessions } from './principal.ts'
import type { Claims, Tokens } from './tokens.ts'

export type SessionDeps = {
  tokens: Tokens
  database: Pick<Database, 'kysely' | 'isAvailable'>
  notifications: Notifications
  now?: () => number
}

export type LiveSessions = Sessions & {
  /** Calls back when credentials of a user (or of anybody: undefined) may have become void. */
  onChanged(listener: (username: string | undefined) => void): () => void
  /** Ends a token in this process at once, also while the database is away. */
  forget(session: Session): void
}

const MOST_REMEMBERED = 10_000

/**
 * Asks the database once per credential and remembers the answer only while the database tells of
 * changes (LISTEN): a disabled user is out everywhere as soon as the change is committed.
 */
export function createSessions(deps: SessionDeps): LiveSessions {
  const { tokens, database, notifications, now = Date.now } = deps
  const remembered = new Map<string, Session>()
  const ended = new Map<string, number>()
  const changedAt = new Map<string, number>()
  /** When the database was last asked about a token that it then called good. */
  const confirmedAt = new Map<string, number>()
  const listeners = new Set<(username: string | undefined) => void>()
  // Answers that were under way when a change was told may be older than the change.
  let generation = 0

  notifications.on('soc_identity', (username) => {
    generation += 1
    changedAt.set(username, now())
    for (const [credential, session] of remembered) {
      if (session.principal.username === username) remembered.delete(credential)
    }
    for (const listener of [...listeners]) listener(username)
  })
  notifications.onGap(() => {
    generation += 1
    remembered.clear()
    for (const listener of [...listeners]) listener(undefined)
  })

  function recall(credential: string): Session | undefined {
    const session = remembered.get(credential)
    if (!session || !notifications.isListening() || ended.has(session.id)) return undefined
    return session.expiresAt > now() ? session : undefined
  }

  async function ask(credential: string, question: () => Promise<Session | undefined>) {
    const asked = generation
    const session = await question()
    if (session && asked === generation) setBounded(remembered, credential, session)
    return session
  }

  async function ofToken(token: string): Promise<Session | undefined> {
    const recalled = recall(token)
    if (recalled) return recalled
    const claims = await tokens.verify(token)
    if (!claims || ended.has(claims.jti)) return undefined
    if (!database.isAvailable()) return believed(claims)
    const askedAt = now()
    try {
      const session = await ask(token, async () => {
        const principal = await userOfToken(database.kysely, claims)
        return principal && sessionOf(principal, claims)
      })
      if (session) setBounded(confirmedAt, claims.jti, askedAt)
      return session
    } catch (error) {
      if (isConnectionFailure(error)) return believed(claims)
      throw error
    }
  }

  /**
   * Without a database there is nothing to read but the mode and the showcase: the signature will do,
   * unless something of the user changed since the token was known to be good. It need not be void,
   * so nobody is signed out for it.
   */
  function believed(claims: Claims): Session {
    const knownAt = Math.max(claims.issuedAt, confirmedAt.get(claims.jti) ?? 0)
    if (knownAt <= (changedAt.get(claims.username) ?? 0)) {
      throw unavailable('the database is unavailable: your session cannot be checked')
    }
    const { userId: id, username, role } = claims
    return sessionOf({ id, username, role, permissions: permissionsOf(role), kind: 'user' }, claims)
  }

  async function ofApiKey(key: string): Promise<Session | undefined> {
    // A token is none, also while it is remembered.
    if (!key.startsWith(API_KEY_PREFIX)) return undefined
    const recalled = recall(key)
    if (recalled) return recalled
    if (!database.isAvailable()) {
      throw unavailable('the database is unavailable: API keys cannot be checked')
    }
    return ask(key, () => ownerOfKey(database.kysely, key))
  }

  return {
    ofToken,
    ofApiKey,
    onChanged(listener) {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    forget(session) {
      for (const [id, expiresAt] of ended) if (expiresAt <= now()) ended.delete(id)
      ended.set(session.id, session.expiresAt)
      for (const listener of [...listeners]) listener(session.principal.username)
    },
  }
}

function setBounded<Value>(map: Map<string, Value>, key: string, value: Value) {
  const [oldest] = map.keys()
  if (map.size >= MOST_REMEMBERED && oldest !== undefined) map.delete(oldest)
  map.set(key, value)
}

function sessionOf(principal: Principal, claims: Claims): Session {
  const { jti, stamp, expiresAt, isEnrolling, isFromProvider } = claims
  const session = { principal, id: jti, stamp, expiresAt, isFromProvider }
  if (!isEnrolling) return session
  return { ...session, isEnrolling, principal: { ...principal, permissions: new Set() } }
}
