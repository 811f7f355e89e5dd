import { notFound } from '@manara/kit/errors'
import type { FieldChange } from '@manara/soc-contract/approvals'
import type { ListOf, ListQuery } from '@manara/soc-contract/lists'
import {
  PlaybookDefinition,
  type PlaybookDiffQuery,
  type PlaybookRevision,
} from '@manara/soc-contract/playbooks'
import { type Kysely, type Selectable, sql } from 'kysely'
import { pageOf } from '../../../db/page.ts'
import type { Tables } from '../../../db/tables.ts'
import { differences } from '../domain/differences.ts'

type Db = Kysely<Tables>
type Page = Pick<ListQuery, 'skip' | 'limit' | 'cursor'>

const revisionsOf = (db: Db, id: string) =>
  db.selectFrom('playbook_revisions').where('playbook_id', '=', id)

/** The number of the state that a playbook is in now; 0 before the first. */
export async function newestRevision(db: Db, id: string): Promise<number> {
  const { newest } = await revisionsOf(db, id)
    .select(sql<number>`coalesce(max(revision), 0)`.as('newest'))
    .executeTakeFirstOrThrow()
  return newest
}

/** Newest first, of deleted playbooks too. */
export async function listRevisions(
  db: Db,
  id: string,
  query: Page,
): Promise<ListOf<PlaybookRevision>> {
  const total = await newestRevision(db, id)
  if (total === 0) throw notFound('playbook', id)
  const before = Number(query.cursor ?? total + 1)
  const rows = await revisionsOf(db, id)
    .selectAll()
    .where('revision', '<', Number.isSafeInteger(before) ? before : 0)
    .orderBy('revision', 'desc')
    .offset(query.skip)
    .limit(query.limit + 1)
    .execute()
  return pageOf(query, {
    rows,
    total,
    toItem: toRevision,
    cursorAfter: ({ revision }) => String(revision),
  })
}

export async function revisionOf(db: Db, id: string, revision: number): Promise<PlaybookRevision> {
  const row = await revisionsOf(db, id)
    .selectAll()
    .where('revision', '=', revision)
    .executeTakeFirst()
  if (!row) throw notFound('revision', `${revision} of playbook ${id}`)
  return toRevision(row)
}

/** What became what between two states; by default what the newest change changed. */
export async function compareRevisions(
  db: Db,
  id: string,
  query: PlaybookDiffQuery,
): Promise<{ playbook_id: string; from: number; to: number; changes: FieldChange[] }> {
  const newest = await newestRevision(db, id)
  if (newest === 0) throw notFound('playbook', id)
  const { to = newest, from = Math.max(1, to - 1) } = query
  const [before, after] = [await revisionOf(db, id, from), await revisionOf(db, id, to)]
  return { playbook_id: id, from, to, changes: differences(comparable(before), comparable(after)) }
}

const comparable = ({ is_deleted, ...revision }: PlaybookRevision) => ({
  ...PlaybookDefinition.strip().parse(revision),
  is_deleted,
})

function toRevision(row: Selectable<Tables['playbook_revisions']>): PlaybookRevision {
  const { definition, changed_at, ...rest } = row
  return {
    ...PlaybookDefinition.strip().parse(definition),
    ...rest,
    changed_at: changed_at.toISOString(),
  }
}
