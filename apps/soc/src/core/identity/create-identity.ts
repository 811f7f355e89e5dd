import type { Database } from '../../db/database.ts'
import type { Notifications } from '../../db/notifications.ts'
import { createRevocations } from './revocations.ts'
import { createSessions } from './sessions.ts'
import { createSignInThrottle } from './sign-in-throttle.ts'
import { createTokens } from './tokens.ts'

/** What signing in and staying signed in is made of. */
export function createIdentity(deps: {
  database: Database
  notifications: Notifications
  /** Of the session tokens. */
  key: Uint8Array
  /** Sign-ins with the right password, of one place in a minute. */
  mostSignIns: number
}) {
  const { database, notifications } = deps
  const tokens = createTokens(deps.key)
  const sessions = createSessions({ tokens, database, notifications })
  const revocations = createRevocations({ database, sessions })
  void database.onAvailable(revocations.writeWaiting)
  return {
    tokens,
    sessions,
    throttle: createSignInThrottle({ database, mostRight: deps.mostSignIns }),
    async revoke(session: Parameters<typeof revocations.revoke>[0]) {
      await revocations.revoke(session)
      await notifications.caughtUp()
    },
  }
}
