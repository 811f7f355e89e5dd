import type { Profile } from '@manara/soc-contract/users'
import type { Kysely } from 'kysely'
import type { Principal } from '../../core/identity/principal.ts'
import type { Reads } from '../../core/mode/read-through.ts'
import type { Tables } from '../../db/tables.ts'
import { findUser, toUser } from './users.store.ts'

/** Without a database in `dummy` the token alone says who the caller is. */
export async function profileOf(
  readThrough: Reads['readThrough'],
  db: Kysely<Tables>,
  principal: Principal,
): Promise<Profile> {
  const { username, role, permissions } = principal
  const kind: Profile['kind'] = principal.kind === 'api_key' ? 'api_key' : 'user'
  const known = { username, role, kind, permissions: [...permissions] }
  const unknown = { full_name: null, email: null, disabled: false }
  return readThrough(
    async () => {
      const row = await findUser(db, username)
      return { ...(row ? toUser(row) : unknown), ...known }
    },
    () => ({ ...unknown, ...known }),
  )
}
