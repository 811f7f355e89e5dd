import { randomUUID } from 'node:crypto'
import type { Role } from '@manara/soc-contract/permissions'
import { jwtVerify, SignJWT } from 'jose'

export const TOKEN_LIFE_S = 3_600
/** Long enough to fetch a phone and scan a code. */
export const ENROLLING_LIFE_S = 900

export type TokenOwner = { id?: string; username: string; role: Role; session_stamp: string }

export type Claims = {
  /** Of somebody who must enrol a second factor before anything else. */
  isEnrolling: boolean
  /** Begun at the identity provider, and to be ended there too. */
  isFromProvider: boolean
  userId: string | undefined
  username: string
  role: Role
  jti: string
  stamp: string
  /** To the millisecond, unlike `iat`: a token of the second of a sign-out may be from before or after it. */
  issuedAt: number
  expiresAt: number
}

/** The stamp of a token that was issued without a database: void as soon as there is one. */
export const SHOWCASE_STAMP = 'showcase'

type TokenOptions = { isEnrolling?: boolean; isFromProvider?: boolean }

export type Tokens = {
  issue(owner: TokenOwner, options?: TokenOptions): Promise<string>
  /** Resolves to nothing when the signature or the time is wrong. */
  verify(token: string): Promise<Claims | undefined>
}

export function createTokens(key: Uint8Array, now: () => number = Date.now): Tokens {
  return {
    issue: ({ id, username, role, session_stamp }, options = {}) => {
      const { isEnrolling = false, isFromProvider = false } = options
      const at = now()
      const issuedAt = Math.floor(at / 1_000)
      return new SignJWT({
        role,
        stamp: session_stamp,
        at,
        ...(id ? { uid: id } : {}),
        ...(isEnrolling ? { enrol: true } : {}),
        ...(isFromProvider ? { oidc: true } : {}),
      })
        .setProtectedHeader({ alg: 'HS256', typ: 'JWT' })
        .setSubject(username)
        .setJti(randomUUID())
        .setIssuedAt(issuedAt)
        .setExpirationTime(issuedAt + (isEnrolling ? ENROLLING_LIFE_S : TOKEN_LIFE_S))
        .sign(key)
    },
    async verify(token) {
      try {
        const { payload } = await jwtVerify(token, key, {
          algorithms: ['HS256'],
          requiredClaims: ['sub', 'role', 'jti', 'stamp', 'iat', 'exp'],
          currentDate: new Date(now()),
        })
        return {
          username: payload.sub as string,
          role: payload.role as Role,
          jti: payload.jti as string,
          stamp: payload.stamp as string,
          isEnrolling: payload.enrol === true,
          isFromProvider: payload.oidc === true,
          userId: payload.uid as string | undefined,
          issuedAt: (payload.at as number | undefined) ?? (payload.iat as number) * 1_000,
          expiresAt: (payload.exp as number) * 1_000,
        }
      } catch {
        return undefined
      }
    },
  }
}
