import { randomUUIDv7 } from 'node:crypto'
import { conflict } from '@manara/kit/errors'
import {
  type Playbook,
  type PlaybookCreate,
  PlaybookDefinition,
  type PlaybookUpdate,
} from '@manara/soc-contract/playbooks'
import { sql } from 'kysely'
import type { ChangeContext } from '../../../core/change/operator-change.ts'
import { checkPlaybook, type KnownActions } from '../domain/check-playbook.ts'
import { toPlaybook } from './playbook-record.ts'
import { columnsOf, lockPlaybook } from './playbooks.store.ts'

export async function createPlaybook(
  known: KnownActions,
  change: ChangeContext,
  { id = randomUUIDv7(), ...definition }: PlaybookCreate,
): Promise<Playbook> {
  checkPlaybook(definition, known)
  const row = await change.tx
    .insertInto('playbooks')
    .values({ ...columnsOf(definition), id, version: 1, origin: 'user', is_edited: true })
    // One that was deleted left a mark: the name is free again.
    .onConflict((conflicting) =>
      conflicting
        .column('id')
        .doUpdateSet({
          ...columnsOf(definition),
          version: sql`playbooks.version + 1`,
          origin: 'user',
          is_edited: true,
          deleted_at: null,
          updated_at: sql`now()`,
        })
        .where('playbooks.deleted_at', 'is not', null),
    )
    .returningAll()
    .executeTakeFirst()
  if (!row) throw conflict(`playbook ${id} exists already: choose another id or change that one`)
  const playbook = toPlaybook(row)
  await change.audit({ action: 'playbook.create', target: `playbook:${id}`, after: playbook })
  return playbook
}

/** What has begun keeps the steps it began with. */
export async function updatePlaybook(
  known: KnownActions,
  change: ChangeContext,
  id: string,
  { version, ...fields }: PlaybookUpdate,
): Promise<Playbook> {
  const before = await lockPlaybook(change.tx, id)
  if (version !== undefined && version !== before.version) {
    throw conflict(`version: ${version} is stale, playbook ${id} is at ${before.version}`)
  }
  const merged = PlaybookDefinition.strip().parse({ ...before, ...fields })
  checkPlaybook(merged, known)
  const row = await change.tx
    .updateTable('playbooks')
    .set({
      ...columnsOf(merged),
      version: sql`version + 1`,
      is_edited: true,
      updated_at: sql`now()`,
    })
    .where('id', '=', id)
    .returningAll()
    .executeTakeFirstOrThrow()
  const after = toPlaybook(row)
  await change.audit({
    action: 'playbook.update',
    target: `playbook:${id}`,
    before: toPlaybook(before),
    after,
  })
  return after
}

/** On and off is no edit: a shipped playbook is still upgraded. Without a wish it becomes the other. */
export async function togglePlaybook(
  change: ChangeContext,
  id: string,
  wanted: boolean | undefined,
): Promise<Playbook> {
  const before = await lockPlaybook(change.tx, id)
  const enabled = wanted ?? !before.enabled
  const row = await change.tx
    .updateTable('playbooks')
    .set({ enabled, updated_at: sql`now()` })
    .where('id', '=', id)
    .returningAll()
    .executeTakeFirstOrThrow()
  await change.audit({
    action: 'playbook.toggle',
    target: `playbook:${id}`,
    before: { enabled: before.enabled },
    after: { enabled },
  })
  return toPlaybook(row)
}

/** Executions stay, and go on if they have begun. */
export async function deletePlaybook(change: ChangeContext, id: string) {
  const before = await lockPlaybook(change.tx, id)
  await change.tx
    .updateTable('playbooks')
    .set({ deleted_at: sql`now()`, enabled: false })
    .where('id', '=', id)
    .execute()
  await change.audit({
    action: 'playbook.delete',
    target: `playbook:${id}`,
    before: toPlaybook(before),
  })
  return { deleted: true as const, id }
}
