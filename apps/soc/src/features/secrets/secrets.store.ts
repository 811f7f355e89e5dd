import { notFound } from '@manara/kit/errors'
import type { SecretListQuery } from '@manara/soc-contract/secrets'
import { type Kysely, type Selectable, sql } from 'kysely'
import type { Tables } from '../../db/tables.ts'

type Db = Kysely<Tables>
export type SecretRow = Selectable<Tables['secrets']>

/** By name; one more than asked tells whether there are more. */
export async function pageOfSecrets(db: Db, { skip, limit, cursor = '' }: SecretListQuery) {
  const [rows, { total }] = await Promise.all([
    db
      .selectFrom('secrets')
      .selectAll()
      .where('name', '>', cursor)
      .orderBy('name')
      .offset(skip)
      .limit(limit + 1)
      .execute(),
    db.selectFrom('secrets').select(sql<string>`count(*)`.as('total')).executeTakeFirstOrThrow(),
  ])
  return { rows, total: Number(total) }
}

export const allSecrets = (db: Db): Promise<SecretRow[]> =>
  db.selectFrom('secrets').selectAll().orderBy('name').execute()

export async function secretByName(db: Db, name: string, lock?: 'for-change'): Promise<SecretRow> {
  const one = db.selectFrom('secrets').selectAll().where('name', '=', name)
  const row = await (lock ? one.forUpdate() : one).executeTakeFirst()
  if (!row) throw notFound('secret', name)
  return row
}

/** Those of the names that are there; nobody deletes them before the transaction ends. */
export async function holdSecrets(tx: Db, names: string[]): Promise<SecretRow[]> {
  if (names.length === 0) return []
  return tx
    .selectFrom('secrets')
    .selectAll()
    .where('name', 'in', names)
    .orderBy('name')
    .forKeyShare()
    .execute()
}
