import { conflict, invalid } from '@manara/kit/errors'
import type { CaseAccess, Tlp } from '@manara/soc-contract/cases'
import { type Kysely, sql } from 'kysely'
import { nameOf } from '../../../core/access/reader.ts'
import type { Tables } from '../../../db/tables.ts'
import { familyOf } from './cases.store.ts'

type Restricted = { id: string; access: CaseAccess; tlp: Tlp }

/** A name that is nobody's would open the case to whoever gets it later. */
export async function requireUsers(db: Kysely<Tables>, { users }: CaseAccess): Promise<void> {
  const known = await db
    .selectFrom('users')
    .select('username')
    .where('username', '=', sql<string>`ANY(${users}::text[])`)
    .execute()
  const names = new Set(known.map(({ username }) => username))
  const missing = users.find((name) => !names.has(name))
  if (missing !== undefined) throw invalid('access.users', `${missing} is not a user`)
}

const isTeams = ({ access, tlp }: Restricted) =>
  access.mode === 'team' && tlp !== 'amber+strict' && tlp !== 'red'

/** The other case would show to the team what is private here. */
export function refuseOpening(source: Restricted, target: Restricted | undefined) {
  if (!target || isTeams(source) || !isTeams(target)) return
  throw conflict(`case ${source.id} is private: make case ${target.id} private first`)
}

/** Nor does a case become the team's while it shows what is private in those merged into it. */
export async function refuseOpeningMerged(db: Kysely<Tables>, target: Restricted): Promise<void> {
  if (!isTeams(target)) return
  const [, ...merged] = await familyOf(db, target.id)
  const rows = await db
    .selectFrom('cases')
    .select(['id', 'access', 'tlp'])
    .where('id', '=', sql<string>`ANY(${merged}::uuid[])`)
    .execute()
  const hidden = rows.find((row) => !isTeams(row))
  if (!hidden) return
  throw conflict(`${nameOf(hidden.id)} is private: separate it from case ${target.id} first`)
}
