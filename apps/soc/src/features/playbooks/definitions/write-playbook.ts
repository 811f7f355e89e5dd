import { randomUUIDv7 } from 'node:crypto'
import { conflict } from '@manara/kit/errors'
import {
  type PendingApproval,
  type Playbook,
  type PlaybookCreate,
  PlaybookDefinition,
  type PlaybookUpdate,
} from '@manara/soc-contract/playbooks'
import { sql } from 'kysely'
import type { ChangeContext } from '../../../core/change/operator-change.ts'
import { differences } from '../domain/differences.ts'
import { askSecondPerson, type SecondPerson } from './ask-second-person.ts'
import { type CheckDeps, checkBeforeSaving } from './check-before-saving.ts'
import { type PlaybookRow, toPlaybook } from './playbook-record.ts'
import { columnsOf, deletedPlaybook, lockPlaybook, storeDefinition } from './playbooks.store.ts'

export type WriteDeps = SecondPerson & CheckDeps

const definitionOf = (row: object) => PlaybookDefinition.strip().parse(row)

export async function createPlaybook(
  deps: WriteDeps,
  change: ChangeContext,
  { id = randomUUIDv7(), ...definition }: PlaybookCreate,
): Promise<Playbook | PendingApproval> {
  await checkBeforeSaving(deps, change, definition)
  const deleted = await deletedPlaybook(change.tx, id)
  // Deleting it and writing it anew must not be a way around the second person.
  const asked = deleted && (await askForChange(deps, change, deleted, definition, 'create'))
  return asked ?? insertPlaybook(change, id, definition)
}

async function insertPlaybook(change: ChangeContext, id: string, definition: PlaybookDefinition) {
  const { username: updated_by } = change.principal
  const row = await change.tx
    .insertInto('playbooks')
    .values({
      ...columnsOf(definition),
      ...{ id, updated_by, version: 1, origin: 'user', is_edited: true },
    })
    // One that was deleted left a mark: the name is free again.
    .onConflict((conflicting) =>
      conflicting
        .column('id')
        .doUpdateSet({
          ...columnsOf(definition),
          ...{ updated_by, approved_by: null, origin: 'user', is_edited: true, deleted_at: null },
          version: sql`playbooks.version + 1`,
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
  deps: WriteDeps,
  change: ChangeContext,
  id: string,
  { version, ...fields }: PlaybookUpdate,
): Promise<Playbook | PendingApproval> {
  const before = await lockPlaybook(change.tx, id)
  if (version !== undefined && version !== before.version) {
    throw conflict(`version: ${version} is stale, playbook ${id} is at ${before.version}`)
  }
  const merged = definitionOf({ ...before, ...fields })
  // Not a new version: approvals are bound to the one they were given for.
  if (differences(definitionOf(before), merged).length === 0) return toPlaybook(before)
  await checkBeforeSaving(deps, change, merged, before.approvers)
  const asked = await askForChange(deps, change, before, merged, 'update')
  return asked ?? storeDefinition(change, before, merged, { operation: 'update' })
}

/** On and off is no edit: a shipped playbook is still upgraded. Without a wish it becomes the other. */
export async function togglePlaybook(
  deps: SecondPerson,
  change: ChangeContext,
  id: string,
  wanted: boolean | undefined,
): Promise<Playbook | PendingApproval> {
  const before = await lockPlaybook(change.tx, id)
  if (wanted === before.enabled) return toPlaybook(before)
  const definition = { ...definitionOf(before), enabled: wanted ?? !before.enabled }
  const asked = await askForChange(deps, change, before, definition, 'toggle')
  return asked ?? storeDefinition(change, before, definition, { operation: 'toggle' })
}

const askForChange = (
  deps: SecondPerson,
  change: ChangeContext,
  before: PlaybookRow,
  after: PlaybookDefinition,
  operation: 'create' | 'update' | 'toggle',
) => askSecondPerson(deps, change, { before, old: definitionOf(before), after, operation })

/** Executions stay, and go on if they have begun. */
export async function deletePlaybook(change: ChangeContext, id: string) {
  const before = await lockPlaybook(change.tx, id)
  await change.tx
    .updateTable('playbooks')
    .set({
      deleted_at: sql`now()`,
      enabled: false,
      updated_by: change.principal.username,
      approved_by: null,
    })
    .where('id', '=', id)
    .execute()
  await change.audit({
    action: 'playbook.delete',
    target: `playbook:${id}`,
    before: toPlaybook(before),
  })
  return { deleted: true as const, id }
}
