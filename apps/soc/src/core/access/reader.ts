import { AsyncLocalStorage } from 'node:async_hooks'
import { CompiledQuery, type Kysely, type RawBuilder, sql } from 'kysely'
import { KEPT } from '../../db/kept-statements.ts'
import { isRecordId } from '../../db/record-id.ts'
import type { Tables } from '../../db/tables.ts'

/** Who is gone has neither a name nor a role, and reads what is the team's. */
export type Reader = { id?: string | undefined; username: string | null; role: string | null }

const readers = new AsyncLocalStorage<ReadonlySet<string>>()
const NOTHING: ReadonlySet<string> = new Set()
const NOBODY: Reader = { username: null, role: null }

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

/** Those that the text names, of the cases that whoever runs this may not read. */
export const hiddenIn = (text: string): string[] => {
  const folded = text.toLowerCase()
  return [...hidden()].filter((id) => folded.includes(id))
}

const IDS = /[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}/gi

/** All ids that the text has. */
export const idsIn = (text: string): string[] => [
  ...new Set(text.match(IDS)?.map((id) => id.toLowerCase())),
]

/** For what people are told: a case they may not read has no name. */
export const nameOf = (caseId: string) => (isHidden(caseId) ? 'another case' : `case ${caseId}`)

/** The same in a text that was written for people who may read all that it names. */
export const withoutHidden = (text: string): string =>
  hiddenIn(text).reduce(
    (told, id) => told.replaceAll(new RegExp(`(?:case )?${id}`, 'gi'), 'another case'),
    text,
  )

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
  { id, username, role }: Reader,
  among?: string[],
): Promise<ReadonlySet<string>> {
  if (role === 'admin') return NOTHING
  const { rows } = await db.executeQuery<{ id: string }>(
    CompiledQuery.raw(HIDDEN, [id ?? null, username, role, among ?? null]),
  )
  return new Set(rows.map((row) => row.id))
}

/** The first of these ids, as it was asked for, that no case has. */
export async function findUnknown(
  db: Kysely<Tables>,
  asked: string[],
): Promise<string | undefined> {
  const ids = asked.filter(isRecordId)
  const rows = await db
    .selectFrom('cases')
    .select('id')
    .where('id', '=', sql<string>`ANY(${ids}::uuid[])`)
    .where('deleted_at', 'is', null)
    .execute()
  const known = new Set(rows.map(({ id }) => id))
  return asked.find((id) => !known.has(id.toLowerCase()))
}

/**
 * For what all readers of a case will share, such as its report: every case that is not the team's
 * but this one, unless it is hidden itself.
 */
export async function privateBeside(db: Kysely<Tables>, id: string): Promise<ReadonlySet<string>> {
  const all = new Set(await hiddenCases(db, NOBODY))
  if (!isHidden(id.toLowerCase())) all.delete(id.toLowerCase())
  return all
}

/** Of rows that are a case or are about one. */
export function isReadable(column: string): RawBuilder<boolean> {
  const ids = [...hidden()]
  if (ids.length === 0) return sql<boolean>`true`
  const ref = sql.ref(column)
  return sql<boolean>`(${ref} IS NULL OR ${ref} <> ALL(${ids}::uuid[]))`
}

/** Of rows that have a list of the cases they name. */
export function areReadable(column: string): RawBuilder<boolean> {
  const ids = [...hidden()]
  if (ids.length === 0) return sql<boolean>`true`
  return sql<boolean>`NOT (${sql.ref(column)} && ${ids}::uuid[])`
}

/** Of the user who has this id, as of now; one who is gone or disabled reads no private case. */
export async function hiddenFromUser(db: Kysely<Tables>, id: string): Promise<ReadonlySet<string>> {
  const user = await db
    .selectFrom('users')
    .select(['id', 'username', 'role'])
    .where('id', '=', id)
    .where('disabled', '=', false)
    .executeTakeFirst()
  return hiddenCases(db, user ?? NOBODY)
}

/** Of rows that name cases somewhere in their text. */
export function namesNoHidden(...columns: string[]): RawBuilder<boolean> {
  const patterns = [...hidden()].map((id) => `%${id}%`)
  if (patterns.length === 0) return sql<boolean>`true`
  const refs = columns.map((column) => sql`${sql.ref(column)}::text`)
  return sql<boolean>`NOT (lower(concat_ws(' ', ${sql.join(refs)})) LIKE ANY(${patterns}::text[]))`
}

/**
 * The same, but for cases that were hidden from the writer too, whose ids `unseen` has as a list:
 * nothing of such a case can be in the row, and hiding it would tell that there is one.
 */
export function namesNoHiddenBut(unseen: RawBuilder<unknown>, row: string): RawBuilder<boolean> {
  const ids = [...hidden()]
  if (ids.length === 0) return sql<boolean>`true`
  return sql<boolean>`NOT EXISTS (
    SELECT FROM unnest(${ids}::text[]) AS hidden(case_id)
    WHERE strpos(lower(${sql.ref(row)}::text), hidden.case_id) > 0
      AND NOT coalesce(${unseen} ? hidden.case_id, false))`
}
