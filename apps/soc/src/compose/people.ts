import type { Http } from '@manara/kit/http'
import type { RecordAudit } from '../core/audit/record-audit.ts'
import type { createIdentity } from '../core/identity/create-identity.ts'
import { createFirstAdmin } from '../core/identity/first-admin.ts'
import { auditRoutes } from '../features/audit/audit.routes.ts'
import { authRoutes } from '../features/auth/auth.routes.ts'
import { apiKeyRoutes } from '../features/users/api-keys.routes.ts'
import { type UserDeps, userRoutes } from '../features/users/users.routes.ts'
import type { SessionCookie } from '../http/session-cookie.ts'
import type { Platform } from './area.ts'

type PeopleNeeds = {
  identity: ReturnType<typeof createIdentity>
  recordAudit: RecordAudit
  cookie: SessionCookie
}

/** Who may come in, and what the audit log says they did. */
export function composePeople(platform: Platform, { identity, recordAudit, cookie }: PeopleNeeds) {
  const { config, database, db, mode, notifications, operatorChange, readThrough } = platform
  const { adminPassword } = config
  const { tokens, throttle, revoke } = identity
  const identityChange: UserDeps['identityChange'] = async (...change) => {
    const record = await operatorChange(...change)
    await notifications.caughtUp()
    return record
  }

  return {
    /** Now, or when the database comes; tells the password if it was generated. */
    makeFirstAdmin: (tell: (password: string) => void) =>
      database.onAvailable(async () => {
        const password = await createFirstAdmin(db, adminPassword)
        if (password) tell(password)
      }),
    routes(api: Http) {
      const signing = { database, mode, recordAudit, adminPassword, tokens, throttle }
      authRoutes(api, { ...signing, revoke, cookie })
      userRoutes(api, { db, readThrough, identityChange, throttle })
      apiKeyRoutes(api, { db, readThrough, identityChange })
      auditRoutes(api, { db, readThrough })
    },
  }
}
