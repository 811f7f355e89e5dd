import { createHash } from 'node:crypto'
import { unauthorized } from '@manara/kit/errors'
import { type Permission, permissionsOf, Role } from '@manara/soc-contract/permissions'
import { type Kysely, sql } from 'kysely'
import type { Tables } from '../../db/tables.ts'
import type { Principal, Session } from './principal.ts'
import type { Claims } from './tokens.ts'

/** Keys are 256 random bits, so a plain hash keeps them as well as a slow one would. */
export const hashKey = (key: string) => createHash('sha256').update(key).digest('hex')

/** Whether the token still stands for its user, and as whom, by the database. */
export async function userOfToken(
  db: Kysely<Tables>,
  claims: Claims,
): Promise<Principal | undefined> {
  const user = await db
    .selectFrom('users')
    .select(['id', 'username', 'role', 'session_stamp', 'kept_jti'])
    .where('username', '=', claims.username)
    .where('disabled', '=', false)
    .where(({ not, exists, selectFrom }) =>
      not(exists(selectFrom('revoked_tokens').select('jti').where('jti', '=', claims.jti))),
    )
    .executeTakeFirst()
  if (!user) return undefined
  if (!isOf(user, { id: claims.jti, stamp: claims.stamp })) return undefined
  const role = Role.parse(user.role)
  const { id, username } = user
  return { id, username, role, permissions: permissionsOf(role), kind: 'user' }
}

type Stamped = { session_stamp: string; kept_jti: string | null }

const isOf = ({ session_stamp, kept_jti }: Stamped, { id, stamp }: Pick<Session, 'id' | 'stamp'>) =>
  session_stamp === stamp || kept_jti === id

/**
 * Of a user who is held: what signed them out while their change waited for it counts. Else the
 * change would keep the very session that was ended.
 */
export function refuseEnded(user: Stamped & { disabled: boolean }, session: Session) {
  if (user.disabled || !isOf(user, session)) throw unauthorized()
}

/** A key can do what its scopes say, and never more than its owner; a service has only scopes. */
export async function ownerOfKey(db: Kysely<Tables>, key: string) {
  const row = await db
    .selectFrom('api_keys')
    .innerJoin('users', 'users.username', 'api_keys.username')
    .select([
      'api_keys.id',
      'scopes',
      'expires_at',
      'users.id as user_id',
      'users.username',
      'role',
    ])
    .where('key_hash', '=', hashKey(key))
    .where('disabled', '=', false)
    .where(sql<boolean>`coalesce(expires_at > now(), true)`)
    .executeTakeFirst()
  if (!row) return undefined
  const role = Role.parse(row.role)
  const scopes = row.scopes as Permission[]
  const owned = permissionsOf(role)
  const permissions = new Set(
    role === 'service' ? scopes : scopes.filter((scope) => owned.has(scope)),
  )
  const { user_id, username } = row
  const principal: Principal = { id: user_id, username, role, permissions, kind: 'api_key' }
  return {
    principal,
    id: row.id,
    expiresAt: row.expires_at?.getTime() ?? Number.POSITIVE_INFINITY,
  }
}
