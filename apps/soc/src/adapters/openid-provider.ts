import { unavailable } from '@manara/kit/errors'
import type { Logger } from '@manara/kit/logging'
import * as openid from 'openid-client'
import {
  type IdentityProvider,
  type ProviderAccount,
  ProviderRefusal,
} from '../ports/identity-provider.ts'
import { checkOpenIdProvider } from './check-openid-provider.ts'

export type OpenIdSettings = {
  issuer: string
  clientId: string
  clientSecret: string | undefined
  scopes: string
  groupsClaim: string
  name: string
  /** Of this service, as browsers see it. */
  publicUrl: string
}

const TIMEOUT_S = 10

/** OpenID Connect: authorization code with PKCE, state and nonce. The provider is asked for its metadata at first use. */
export function createOpenIdProvider(settings: OpenIdSettings, log: Logger): IdentityProvider {
  const redirectUri = new URL('/api/v1/auth/oidc/callback', settings.publicUrl).href
  let known: Promise<openid.Configuration> | undefined

  async function discovered(): Promise<openid.Configuration> {
    known ??= discover()
    try {
      return await known
    } catch (error) {
      known = undefined
      log.warn({ err: error }, 'the identity provider cannot be asked')
      throw unavailable('the identity provider cannot be reached: try again shortly', error)
    }
  }

  function discover() {
    const { issuer, clientId, clientSecret } = settings
    const server = new URL(issuer)
    return openid.discovery(
      server,
      clientId,
      clientSecret,
      clientSecret ? openid.ClientSecretBasic(clientSecret) : openid.None(),
      {
        timeout: TIMEOUT_S,
        // Plain http is for a provider on this machine; the configuration refuses it elsewhere.
        ...(server.protocol === 'http:' ? { execute: [openid.allowInsecureRequests] } : {}),
      },
    )
  }

  return {
    name: settings.name,
    newQuestion: () => ({
      state: openid.randomState(),
      nonce: openid.randomNonce(),
      codeVerifier: openid.randomPKCECodeVerifier(),
    }),
    async begin({ state, nonce, codeVerifier }, { isFresh }) {
      return openid.buildAuthorizationUrl(await discovered(), {
        redirect_uri: redirectUri,
        scope: settings.scopes,
        code_challenge: await openid.calculatePKCECodeChallenge(codeVerifier),
        code_challenge_method: 'S256',
        state,
        nonce,
        ...(isFresh ? { prompt: 'login', max_age: '0' } : {}),
      })
    },
    async finish({ state, nonce, codeVerifier }, callback) {
      const config = await discovered()
      // Compared with what was registered, not with what the request claims to be for.
      const current = new URL(redirectUri)
      current.search = callback.search
      try {
        const tokens = await openid.authorizationCodeGrant(config, current, {
          pkceCodeVerifier: codeVerifier,
          expectedState: state,
          expectedNonce: nonce,
          idTokenExpected: true,
        })
        const claims = tokens.claims()
        if (!claims) throw new Error('no ID token')
        return accountOf(claims, await groupClaims(config, tokens.access_token, claims))
      } catch (error) {
        log.warn({ err: error }, 'a sign-in at the identity provider was refused')
        throw new ProviderRefusal('the identity provider did not confirm who it is', {
          cause: error,
        })
      }
    },
    async signOutUrl() {
      const config = await discovered()
      if (!config.serverMetadata().end_session_endpoint) return undefined
      return openid.buildEndSessionUrl(config, {
        post_logout_redirect_uri: new URL('/', settings.publicUrl).href,
      })
    },
    check: () =>
      checkOpenIdProvider({
        discover: async () => (await discover()).serverMetadata(),
        readKeys,
        scopes: settings.scopes,
      }),
  }

  /** Some providers put groups into the ID token, others only tell them when asked. */
  async function groupClaims(
    config: openid.Configuration,
    accessToken: string,
    claims: openid.IDToken,
  ): Promise<Record<string, unknown>> {
    if (settings.groupsClaim in claims || !config.serverMetadata().userinfo_endpoint) return claims
    return { ...claims, ...(await openid.fetchUserInfo(config, accessToken, claims.sub)) }
  }

  function accountOf(
    { iss, sub, amr, auth_time }: openid.IDToken,
    told: Record<string, unknown>,
  ): ProviderAccount {
    return {
      issuer: iss,
      subject: sub,
      preferredName: textOf(told.preferred_username),
      fullName: textOf(told.name),
      email: told.email_verified === true ? textOf(told.email) : undefined,
      groups: textsOf(told[settings.groupsClaim]),
      methods: textsOf(amr),
      signedInAt: typeof auth_time === 'number' ? auth_time * 1_000 : undefined,
    }
  }
}

async function readKeys(url: string): Promise<number> {
  const reply = await fetch(url, { signal: AbortSignal.timeout(TIMEOUT_S * 1_000) })
  if (!reply.ok) throw new Error(`answers ${reply.status}`)
  const { keys } = (await reply.json()) as { keys?: unknown }
  return Array.isArray(keys) ? keys.length : 0
}

const textOf = (value: unknown) => (typeof value === 'string' && value !== '' ? value : undefined)

const textsOf = (value: unknown): string[] =>
  [value].flat().filter((one): one is string => typeof one === 'string')
