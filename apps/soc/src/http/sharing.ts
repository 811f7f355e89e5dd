import { type RawBuilder, sql } from 'kysely'
import type { Principal } from './authenticate.ts'

/**
 * Which records with `sharing_mode`, `shared_with_roles` and `created_by` somebody may see: `team` is
 * everybody's, `roles` is for the named roles, `private` for its maker. An admin sees all of them.
 */
export function sharedWith(principal: Principal): RawBuilder<boolean> {
  if (principal.role === 'admin') return sql`true`
  return sql`(sharing_mode = 'team' OR created_by = ${principal.username}
    OR (sharing_mode = 'roles' AND ${principal.role} = ANY(shared_with_roles)))`
}
