import type { ListOf } from '@manara/soc-contract/lists'
import type { User, UserListQuery } from '@manara/soc-contract/users'
import type { Kysely } from 'kysely'
import { pageOf } from '../../db/page.ts'
import type { Tables } from '../../db/tables.ts'
import { toUser } from './users.store.ts'

/** Sorted by name, which is unique: the name of the last one is the cursor. */
export async function listUsers(db: Kysely<Tables>, query: UserListQuery): Promise<ListOf<User>> {
  const { skip, limit, cursor, role, disabled } = query
  let matching = db.selectFrom('users')
  if (role !== undefined) matching = matching.where('role', '=', role)
  if (disabled !== undefined) matching = matching.where('disabled', '=', disabled === 'true')
  let page = matching
    .selectAll()
    .orderBy('username')
    .offset(skip)
    .limit(limit + 1)
  if (cursor !== undefined) page = page.where('username', '>', cursor)

  const [rows, { total }] = await Promise.all([
    page.execute(),
    matching.select((count) => count.fn.countAll<string>().as('total')).executeTakeFirstOrThrow(),
  ])
  return pageOf(query, {
    rows,
    total: Number(total),
    toItem: toUser,
    cursorAfter: (row) => row.username,
  })
}
