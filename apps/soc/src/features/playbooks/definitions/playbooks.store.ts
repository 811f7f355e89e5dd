import { notFound } from '@manara/kit/errors'
import type { ListOf } from '@manara/soc-contract/lists'
import type {
  Playbook,
  PlaybookDefinition,
  PlaybookListQuery,
} from '@manara/soc-contract/playbooks'
import { type Kysely, type RawBuilder, sql } from 'kysely'
import type { ChangeContext } from '../../../core/change/operator-change.ts'
import { pageOf } from '../../../db/page.ts'
import type { Tables } from '../../../db/tables.ts'
import { secretsOfPlaybook } from '../domain/secrets.ts'
import { type PlaybookRow, toPlaybook } from './playbook-record.ts'

type Db = Kysely<Tables>

// Anything else cannot be an id: it is unknown rather than wrong, and may hold what no text holds.
const isPlaybookId = (id: string) => /^[a-z0-9-]{1,100}$/.test(id)

const present = (db: Db, id: string) =>
  db.selectFrom('playbooks').selectAll().where('id', '=', id).where('deleted_at', 'is', null)

export async function playbookById(db: Db, id: string): Promise<PlaybookRow> {
  const row = isPlaybookId(id) ? await present(db, id).executeTakeFirst() : undefined
  if (!row) throw notFound('playbook', id)
  return row
}

/** As it is, and nobody else changes it until the transaction ends. */
export async function lockPlaybook(tx: Db, id: string): Promise<PlaybookRow> {
  const row = isPlaybookId(id)
    ? await present(tx, id).forNoKeyUpdate().executeTakeFirst()
    : undefined
  if (!row) throw notFound('playbook', id)
  return row
}

/** One that was deleted, whose mark is there. */
export const deletedPlaybook = (tx: Db, id: string): Promise<PlaybookRow | undefined> =>
  tx
    .selectFrom('playbooks')
    .selectAll()
    .where('id', '=', id)
    .where('deleted_at', 'is not', null)
    .forNoKeyUpdate()
    .executeTakeFirst()

export const lockPlaybookOrMark = async (tx: Db, id: string): Promise<PlaybookRow> =>
  (await deletedPlaybook(tx, id)) ?? lockPlaybook(tx, id)

export type Operation = 'create' | 'update' | 'toggle'

/** Makes a playbook what the definition says; where a second person agreed, both are named. */
export async function storeDefinition(
  change: ChangeContext,
  before: PlaybookRow,
  definition: PlaybookDefinition,
  { operation, requestedBy }: { operation: Operation; requestedBy?: string },
): Promise<Playbook> {
  const { username } = change.principal
  const isToggle = operation === 'toggle'
  const row = await change.tx
    .updateTable('playbooks')
    .set({
      ...columnsOf(definition),
      ...(isToggle ? {} : { version: sql`version + 1`, is_edited: true }),
      ...(operation === 'create' ? { deleted_at: null, origin: 'user' } : {}),
      updated_at: sql`now()`,
      updated_by: requestedBy ?? username,
      approved_by: requestedBy === undefined ? null : username,
    })
    .where('id', '=', before.id)
    .returningAll()
    .executeTakeFirstOrThrow()
  const after = toPlaybook(row)
  const agreed = requestedBy === undefined ? {} : { requested_by: requestedBy }
  await change.audit({
    action: `playbook.${operation}`,
    target: `playbook:${before.id}`,
    before: isToggle ? { enabled: before.enabled } : toPlaybook(before),
    after: { ...(isToggle ? { enabled: after.enabled } : after), ...agreed },
  })
  return after
}

/** Sorted by id, which is unique: the last one's is the cursor. */
export async function listPlaybooks(db: Db, query: PlaybookListQuery): Promise<ListOf<Playbook>> {
  const listed = db
    .selectFrom('playbooks')
    .where(sql.join<boolean>([...conditionsOf(query)], sql` AND `))
  const [rows, { total }] = await Promise.all([
    listed
      .selectAll()
      .where('id', '>', query.cursor ?? '')
      .orderBy('id')
      .offset(query.skip)
      .limit(query.limit + 1)
      .execute(),
    listed.select(sql<string>`count(*)`.as('total')).executeTakeFirstOrThrow(),
  ])
  return pageOf(query, {
    rows,
    total: Number(total),
    toItem: toPlaybook,
    cursorAfter: ({ id }) => id,
  })
}

function* conditionsOf({ enabled, tag }: PlaybookListQuery): Iterable<RawBuilder<boolean>> {
  yield sql`deleted_at IS NULL`
  if (enabled !== undefined) yield sql`enabled = ${enabled === 'true'}`
  if (tag !== undefined) yield sql`tags @> ${[tag]}::text[]`
}

/** A definition as its columns take it. */
export const columnsOf = ({ trigger, parameters, steps, ...plain }: PlaybookDefinition) => ({
  ...plain,
  trigger: JSON.stringify(trigger),
  parameters: JSON.stringify(parameters),
  steps: JSON.stringify(steps),
})

/** The playbooks that name secrets, by the name of the secret. */
export async function readSecretUsers(db: Db) {
  const rows = await db
    .selectFrom('playbooks')
    .select(['id', 'name', 'steps'])
    .where('deleted_at', 'is', null)
    .where(sql<boolean>`steps::text LIKE '%secrets.%'`)
    .orderBy('id')
    .execute()
  const users = new Map<string, { playbook_id: string; playbook_name: string }[]>()
  for (const { id, name, steps } of rows) {
    for (const secret of secretsOfPlaybook(steps)) {
      const others = users.get(secret) ?? []
      users.set(secret, [...others, { playbook_id: id, playbook_name: name }])
    }
  }
  return users
}
