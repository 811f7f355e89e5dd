import type { Database } from '../../db/database.ts'
import type { Notifications } from '../../db/notifications.ts'
import { createRevocations } from './revocations.ts'
import { createSessions } from './sessions.ts'
import { createSignInThrottle } from './sign-in-throttle.ts'
import { createSigningKey } from './signing-key.ts'
import { createTokens } from './tokens.ts'

/** What signing in and staying signed in is made of; agrees on the key whenever a database comes. */
export function createIdentity(deps: {
  database: Database
  notifications: Notifications
  keyFile: string
}) {
  const { database, notifications } = deps
  const key = createSigningKey(deps.keyFile)
  const tokens = createTokens(key)
  const sessions = createSessions({ tokens, database, notifications })
  const revocations = createRevocations({ database, sessions })
  void database.onAvailable(async () => {
    await key.agree(database.kysely)
    await revocations.writeWaiting()
  })
  return {
    tokens,
    sessions,
    throttle: createSignInThrottle({ database }),
    async revoke(session: Parameters<typeof revocations.revoke>[0]) {
      await revocations.revoke(session)
      await notifications.caughtUp()
    },
  }
}
