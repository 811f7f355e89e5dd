import { randomBytes } from 'node:crypto'
import { invalid, notFound } from '@manara/kit/errors'
import { type Permission, permissionsOf, Role } from '@manara/soc-contract/permissions'
import type { ApiKey, ApiKeyCreate } from '@manara/soc-contract/users'
import type { Kysely, Selectable } from 'kysely'
import type { ChangeContext } from '../../core/change/operator-change.ts'
import { hashKey } from '../../core/identity/identity-store.ts'
import { API_KEY_PREFIX } from '../../core/identity/principal.ts'
import type { Tables } from '../../db/tables.ts'
import { findUser, lockUser } from './users.store.ts'

const HINT_LENGTH = 10

function toApiKey(row: Selectable<Tables['api_keys']>): ApiKey {
  return {
    id: row.id,
    username: row.username,
    name: row.name,
    hint: row.hint,
    scopes: row.scopes as Permission[],
    created_by: row.created_by,
    created_at: row.created_at.toISOString(),
    expires_at: row.expires_at?.toISOString() ?? null,
  }
}

export async function apiKeysOf(db: Kysely<Tables>, username: string): Promise<ApiKey[]> {
  if (!(await findUser(db, username))) throw notFound('user', username)
  const rows = await db
    .selectFrom('api_keys')
    .selectAll()
    .where('username', '=', username)
    .orderBy('created_at')
    .orderBy('id')
    .execute()
  return rows.map(toApiKey)
}

/** Only the hash is kept: the key is in this answer and nowhere else. */
export async function createApiKey(change: ChangeContext, username: string, wanted: ApiKeyCreate) {
  const owner = await lockUser(change.tx, username)
  refuseMoreThanOwner(Role.parse(owner.role), wanted.scopes)
  const expiresAt = wanted.expires_at ? new Date(wanted.expires_at) : null
  const key = `${API_KEY_PREFIX}${randomBytes(32).toString('base64url')}`
  const row = await change.tx
    .insertInto('api_keys')
    .values({
      username,
      name: wanted.name,
      key_hash: hashKey(key),
      hint: key.slice(0, HINT_LENGTH),
      scopes: wanted.scopes,
      created_by: change.principal.username,
      expires_at: expiresAt,
    })
    .returningAll()
    .executeTakeFirstOrThrow()
  const made = toApiKey(row)
  await change.audit({ action: 'api_key.create', target: `api_key:${made.id}`, after: made })
  return { ...made, key }
}

export async function deleteApiKey(change: ChangeContext, username: string, id: string) {
  const row = await change.tx
    .deleteFrom('api_keys')
    .where('username', '=', username)
    // As text: an id that is no uuid is simply unknown.
    .where((key) => key.cast<string>('id', 'text'), '=', id)
    .returningAll()
    .executeTakeFirst()
  if (!row) throw notFound('api key', id)
  await change.audit({
    action: 'api_key.delete',
    target: `api_key:${id}`,
    before: toApiKey(row),
  })
  return { deleted: true as const, id }
}

function refuseMoreThanOwner(role: Role, scopes: Permission[]) {
  if (role === 'service') return
  const excess = scopes.find((scope) => !permissionsOf(role).has(scope))
  if (excess) throw invalid('scopes', `${excess} is more than the owner's role ${role} may do`)
}
