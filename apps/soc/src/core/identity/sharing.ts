import { type RawBuilder, sql } from 'kysely'
import type { Principal } from './principal.ts'

/**
 * Which records with `sharing_mode`, `shared_with_roles` and `created_by` somebody may see: `team` is
 * everybody's, `roles` is for the named roles, `private` for its maker. An admin sees all of them.
 */
export function sharedWith(principal: Principal): RawBuilder<boolean> {
  if (principal.role === 'admin') return sql`true`
  return sql`(sharing_mode = 'team' OR created_by = ${principal.username}
    OR (sharing_mode = 'roles' AND ${principal.role} = ANY(shared_with_roles)))`
}

/** Who may see a record, sent along with its live event and taken off before that is told. */
export type Audience = { sharing_mode: string; shared_with_roles: string[]; created_by: string }

export const audienceOf = ({
  sharing_mode,
  shared_with_roles,
  created_by,
}: Audience): Audience => ({
  sharing_mode,
  shared_with_roles,
  created_by,
})

/** As `sharedWith`, for what is not read from the database. */
export function isSharedWith({ role, username }: Principal, audience: Audience): boolean {
  if (role === 'admin' || audience.sharing_mode === 'team') return true
  if (audience.created_by === username) return true
  return audience.sharing_mode === 'roles' && audience.shared_with_roles.includes(role)
}
