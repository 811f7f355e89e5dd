import type { Http } from '@manara/kit/http'
import type { FastifyRequest } from 'fastify'
import { createOpenIdProvider } from '../adapters/openid-provider.ts'
import { shownOidc } from '../config-oidc.ts'
import type { RecordAudit } from '../core/audit/record-audit.ts'
import type { Changes } from '../core/change/operator-change.ts'
import type { createIdentity } from '../core/identity/create-identity.ts'
import { createFirstAdmin } from '../core/identity/first-admin.ts'
import type { KeyUses } from '../core/identity/key-uses.ts'
import { weaknessOf } from '../core/identity/weak-password.ts'
import { auditRoutes } from '../features/audit/audit.routes.ts'
import { authRoutes } from '../features/auth/auth.routes.ts'
import { oidcRoutes } from '../features/auth/oidc/oidc.routes.ts'
import { singleSignOnRoutes } from '../features/auth/oidc/single-sign-on.routes.ts'
import { passkeyRoutes } from '../features/auth/passkeys/passkey.routes.ts'
import { createRelyingParty } from '../features/auth/passkeys/relying-party.ts'
import { takeProof } from '../features/auth/proof/proof.ts'
import { secondFactorRoutes } from '../features/auth/second-factors/second-factors.routes.ts'
import { apiKeyRoutes } from '../features/users/api-keys.routes.ts'
import { type UserDeps, userRoutes } from '../features/users/users.routes.ts'
import type { SessionCookie } from '../http/session-cookie.ts'
import type { Platform } from './area.ts'

type PeopleNeeds = {
  identity: ReturnType<typeof createIdentity>
  recordAudit: RecordAudit
  cookie: SessionCookie
  keyUses: KeyUses
  limitGeneral(request: FastifyRequest): Promise<void>
}

const NO_PROVIDER = {
  provider: undefined,
  mapping: { roles: [], defaultRole: undefined },
  isSecondFactorTrusted: false,
}

/** Who may come in, and what the audit log says they did. */
export function composePeople(platform: Platform, needs: PeopleNeeds) {
  const { identity, recordAudit, cookie, limitGeneral, keyUses } = needs
  const { config, database, db, mode, notifications, operatorChange, readThrough } = platform
  const { adminPassword } = config
  const { tokens, throttle, revoke } = identity
  const { provider: providerSettings, ...oidc } = config.oidc ?? NO_PROVIDER
  const provider = providerSettings && createOpenIdProvider(providerSettings, platform.log)
  const identityChange: UserDeps['identityChange'] = async (...change) => {
    const record = await operatorChange(...change)
    await notifications.caughtUp()
    return record
  }
  const ownChange: Changes['internalWorkflow'] = async (work, principal) => {
    const record = await platform.internalWorkflow(work, principal)
    await notifications.caughtUp()
    return record
  }

  let isAdminMade = false
  let firstAdmin: Promise<void> | undefined

  return {
    /** The database and a user in it, or what stands in for them in dummy mode. */
    isSignInReady: () =>
      database.isAvailable() ? isAdminMade : mode.showsStory && adminPassword !== undefined,
    /** Now, or when the database comes; tells the password if it was generated. */
    makeFirstAdmin(tell: (password: string) => void) {
      firstAdmin = database.onAvailable(async () => {
        const weakness = adminPassword && weaknessOf(adminPassword, ['admin'])
        if (weakness) platform.log.warn(`SOC_ADMIN_PASSWORD: ${weakness}`)
        const password = await createFirstAdmin(db, adminPassword)
        isAdminMade = true
        if (password) tell(password)
      })
      return firstAdmin
    },
    routes(api: Http) {
      const { sealing } = platform
      const party = createRelyingParty(config)
      const signing = { database, mode, recordAudit, adminPassword, tokens, throttle, sealing }
      const auth = {
        ...signing,
        untilThereAreUsers: async () => firstAdmin,
        revoke,
        cookie,
        // Who signs out here is out, also while the provider is away.
        providerSignOutUrl: async () => (await provider?.signOutUrl().catch(() => undefined))?.href,
      }
      authRoutes(api, auth)
      passkeyRoutes(api, { ...auth, party, limitGeneral, provider })
      oidcRoutes(api, {
        ...auth,
        party,
        limitGeneral,
        provider,
        ...oidc,
        internalWorkflow: ownChange,
      })
      singleSignOnRoutes(api, { provider, singleSignOn: shownOidc(config.oidc) })
      secondFactorRoutes(api, { ...auth, party, ownChange, identityChange })
      userRoutes(api, { db, readThrough, identityChange, throttle, takeProof })
      apiKeyRoutes(api, { db, readThrough, identityChange, lastUseOf: keyUses.lastUseOf })
      auditRoutes(api, { db, readThrough, operatorChange, witness: platform.witness })
    },
  }
}
