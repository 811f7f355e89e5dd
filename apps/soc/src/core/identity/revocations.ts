import { isConnectionFailure } from '../../db/connection-failure.ts'
import type { Database } from '../../db/database.ts'
import type { Session } from './principal.ts'
import type { LiveSessions } from './sessions.ts'

/** Signing out ends the token itself, not only the browser's copy of it. */
export function createRevocations(deps: {
  database: Pick<Database, 'kysely' | 'isAvailable'>
  sessions: Pick<LiveSessions, 'forget'>
}) {
  const { database, sessions } = deps
  const waiting: Session[] = []

  async function write(ended: Session[]) {
    if (ended.length === 0) return
    await database.kysely
      .insertInto('revoked_tokens')
      .values(
        ended.map(({ id, principal, expiresAt }) => ({
          jti: id,
          username: principal.username,
          expires_at: new Date(expiresAt),
        })),
      )
      .onConflict((conflict) => conflict.doNothing())
      .execute()
  }

  /** Who signs out meanwhile waits for the next time. */
  async function writeWaiting() {
    const ended = waiting.splice(0)
    try {
      await write(ended)
    } catch (error) {
      if (isConnectionFailure(error)) waiting.unshift(...ended)
      throw error
    }
  }

  return {
    /** Here at once; everywhere when the database has it, which may be when it comes back. */
    async revoke(session: Session) {
      sessions.forget(session)
      waiting.push(session)
      if (!database.isAvailable()) return
      try {
        await writeWaiting()
      } catch (error) {
        if (!isConnectionFailure(error)) throw error
      }
    },
    writeWaiting,
  }
}
