import type { FactorsOfUsers, FactorsOfUsersQuery } from '@manara/soc-contract/auth'
import { Role } from '@manara/soc-contract/permissions'
import { type Kysely, sql } from 'kysely'
import { rolesThatNeedOne } from '../../../core/identity/second-factors.ts'
import { pageOf } from '../../../db/page.ts'
import type { Tables } from '../../../db/tables.ts'

/** People alone, by name: a service signs in with its keys. */
export async function factorsOfUsers(
  db: Kysely<Tables>,
  query: FactorsOfUsersQuery,
): Promise<FactorsOfUsers> {
  const people = db.selectFrom('users').where('role', '!=', 'service')
  let page = people
    .select([
      ...(['username', 'role', 'disabled'] as const),
      sql<boolean>`EXISTS (SELECT FROM totp_seeds WHERE user_id = users.id)`.as('totp'),
      sql<number>`(SELECT count(*)::int FROM passkeys WHERE user_id = users.id)`.as('passkeys'),
      sql<number>`(SELECT count(*)::int FROM recovery_codes WHERE user_id = users.id)`.as(
        'recovery_codes_left',
      ),
      sql<boolean>`oidc_subject IS NOT NULL`.as('signs_in_at_provider'),
    ])
    .orderBy('username')
    .offset(query.skip)
    .limit(query.limit + 1)
  if (query.cursor !== undefined) page = page.where('username', '>', query.cursor)
  const [rows, { total }, needed] = await Promise.all([
    page.execute(),
    people.select((count) => count.fn.countAll<string>().as('total')).executeTakeFirstOrThrow(),
    rolesThatNeedOne(db),
  ])
  return pageOf(query, {
    rows,
    total: Number(total),
    toItem(row) {
      const role = Role.parse(row.role)
      return { ...row, role, is_required: needed.includes(role) }
    },
    cursorAfter: ({ username }) => username,
  })
}
