import { randomBytes } from 'node:crypto'
import { invalid, notFound } from '@manara/kit/errors'
import { type Permission, permissionsOf, Role } from '@manara/soc-contract/permissions'
import type { ApiKey, ApiKeyCreate } from '@manara/soc-contract/users'
import { type Kysely, type Selectable, sql } from 'kysely'
import type { ChangeContext } from '../../core/change/operator-change.ts'
import { recordKey } from '../../core/identity/account-changes.ts'
import { hashKey } from '../../core/identity/identity-store.ts'
import { isNamed } from '../../core/identity/is-named.ts'
import { KEY_USED } from '../../core/identity/key-uses.ts'
import { API_KEY_PREFIX } from '../../core/identity/principal.ts'
import type { Tables } from '../../db/tables.ts'
import { findUser, lockUser } from './users.store.ts'

const HINT_LENGTH = 10

type KeyRow = Selectable<Tables['api_keys']> & { used_at?: Date | null }

function toApiKey(row: KeyRow, usedAt = row.used_at?.getTime()): ApiKey {
  return {
    id: row.id,
    username: row.username,
    name: row.name,
    hint: row.hint,
    scopes: row.scopes as Permission[],
    created_by: row.created_by,
    created_at: row.created_at.toISOString(),
    expires_at: row.expires_at?.toISOString() ?? null,
    last_used_at: usedAt === undefined ? null : new Date(usedAt).toISOString(),
  }
}

export type LastUseOf = (id: string) => number | undefined

export async function apiKeysOf(
  db: Kysely<Tables>,
  username: string,
  lastUseOf: LastUseOf,
): Promise<ApiKey[]> {
  if (!(await findUser(db, username))) throw notFound('user', username)
  return readKeys(keysByAge(db).where(isNamed(username)), lastUseOf)
}

export const allApiKeys = (db: Kysely<Tables>, lastUseOf: LastUseOf): Promise<ApiKey[]> =>
  readKeys(keysByAge(db), lastUseOf)

const keysByAge = (db: Kysely<Tables>) =>
  db
    .selectFrom('api_keys')
    .selectAll()
    .select(
      sql<Date | null>`(SELECT at FROM audit_log WHERE target = 'api_key:' || api_keys.id
        AND action = ${KEY_USED} ORDER BY audit_log.id DESC LIMIT 1)`.as('used_at'),
    )
    .orderBy('created_at')
    .orderBy('id')

async function readKeys(keys: ReturnType<typeof keysByAge>, lastUseOf: LastUseOf) {
  const rows = await keys.execute()
  return rows.map((row) => toApiKey(row, lastUseOf(row.id) ?? row.used_at?.getTime()))
}

/** Only the hash is kept: the key is in this answer and nowhere else. */
export async function createApiKey(change: ChangeContext, username: string, wanted: ApiKeyCreate) {
  const owner = await lockUser(change.tx, username)
  refuseMoreThanOwner(Role.parse(owner.role), wanted.scopes)
  const expiresAt = wanted.expires_at ?? null
  // It would be dead from the start, which its owner learns when the first call is refused.
  if (expiresAt && expiresAt <= new Date()) throw invalid('expires_at', 'must be in the future')
  const key = `${API_KEY_PREFIX}${randomBytes(32).toString('base64url')}`
  const row = await change.tx
    .insertInto('api_keys')
    .values({
      username: owner.username,
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
  await recordKey(change, owner, wanted.scopes)
  await change.audit({ action: 'api_key.create', target: `api_key:${made.id}`, after: made })
  return { ...made, key }
}

export async function deleteApiKey(change: ChangeContext, username: string, id: string) {
  const row = await change.tx
    .deleteFrom('api_keys')
    .where(isNamed(username))
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
