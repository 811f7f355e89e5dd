import { AsyncLocalStorage } from 'node:async_hooks'
import { CompiledQuery, type Kysely, type RawBuilder, sql } from 'kysely'
import { KEPT } from '../../db/kept-statements.ts'
import type { Tables } from '../../db/tables.ts'
import type { Principal } from '../identity/principal.ts'

const readers = new AsyncLocalStorage<ReadonlySet<string>>()
const NOTHING: ReadonlySet<string> = new Set()

/**
 * Whatever runs inside sees none of these cases. It goes along with a request instead of being
 * handed to each query: one that forgot it would show what it must not.
 */
export const hiding = <T>(cases: ReadonlySet<string>, work: () => T): T => readers.run(cases, work)

/** For what has to be recorded wherever it belongs, whoever caused it. */
export const seeingAll = <T>(work: () => T): T => hiding(NOTHING, work)

/** Nothing for what the service does by itself. */
const hidden = (): ReadonlySet<string> => readers.getStore() ?? NOTHING

export const seesAll = (): boolean => hidden().size === 0

export const isHidden = (caseId: string | null | undefined): boolean =>
  caseId != null && hidden().has(caseId)

/** For what people are told: a case they may not read has no name. */
export const nameOf = (caseId: string) => (isHidden(caseId) ? 'another case' : `case ${caseId}`)

// Asked before every request of somebody who is no admin, and never remembered: what was hidden a
// moment ago, maybe through another process, has to be hidden now.
const HIDDEN = `${KEPT}
  SELECT id FROM cases
  WHERE (access->>'mode' <> 'team' OR tlp IN ('amber+strict', 'red'))
    AND ($4::uuid[] IS NULL OR id = ANY($4))
    AND NOT coalesce(case_is_readable(cases, $1::uuid, $2::text, $3::text), false)`

/** The cases that this caller may not read; few, since most are the team's. */
export async function hiddenCases(
  db: Kysely<Tables>,
  { id, username, role }: Principal,
  among?: string[],
): Promise<ReadonlySet<string>> {
  if (role === 'admin') return NOTHING
  const { rows } = await db.executeQuery<{ id: string }>(
    CompiledQuery.raw(HIDDEN, [id ?? null, username, role, among ?? null]),
  )
  return new Set(rows.map((row) => row.id))
}

/** Of rows that are a case or are about one. */
export function isReadable(column: string): RawBuilder<boolean> {
  const ids = [...hidden()]
  if (ids.length === 0) return sql<boolean>`true`
  const ref = sql.ref(column)
  return sql<boolean>`(${ref} IS NULL OR ${ref} <> ALL(${ids}::uuid[]))`
}

/** Of rows that name cases somewhere in their text. */
export function namesNoHidden(...columns: string[]): RawBuilder<boolean> {
  const patterns = [...hidden()].map((id) => `%${id}%`)
  if (patterns.length === 0) return sql<boolean>`true`
  const refs = columns.map((column) => sql`${sql.ref(column)}::text`)
  return sql<boolean>`NOT (concat_ws(' ', ${sql.join(refs)}) LIKE ANY(${patterns}::text[]))`
}
