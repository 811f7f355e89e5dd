import { type RawBuilder, sql } from 'kysely'
import type { Principal } from './principal.ts'

/**
 * Which records with `sharing_mode`, `shared_with_roles` and `created_by_id` somebody may see:
 * `team` is everybody's, `roles` is for the named roles, `private` for its maker. An admin sees all.
 */
export function sharedWith(principal: Principal): RawBuilder<boolean> {
  if (principal.role === 'admin') return sql`true`
  return sql`(sharing_mode = 'team' OR created_by_id = ${principal.id ?? null}::uuid
    OR (sharing_mode = 'roles' AND ${principal.role} = ANY(shared_with_roles)))`
}

/** Who may see a record, sent along with its live event and taken off before that is told. */
export type Audience = {
  sharing_mode: string
  shared_with_roles: string[]
  created_by_id?: string | null | undefined
}

export const audienceOf = ({ sharing_mode, shared_with_roles, created_by_id }: Audience) => ({
  sharing_mode,
  shared_with_roles,
  created_by_id,
})

/** As `sharedWith`, for what is not read from the database. */
export function isSharedWith(principal: Principal, audience: Audience): boolean {
  const { role } = principal
  if (role === 'admin' || audience.sharing_mode === 'team') return true
  if (isMaker(principal, audience)) return true
  return audience.sharing_mode === 'roles' && audience.shared_with_roles.includes(role)
}

/** By id: who has the maker's name today may be somebody else. */
export const isMaker = (
  { id }: Principal,
  { created_by_id }: Pick<Audience, 'created_by_id'>,
): boolean => id !== undefined && id === created_by_id
