import type { Permission } from '@manara/soc-contract/permissions'
import { type Kysely, sql } from 'kysely'
import type { Tables } from '../../db/tables.ts'
import type { ChangeContext } from '../change/operator-change.ts'

type Db = Kysely<Tables>
type Account = { id: string; username: string; role: string; disabled: boolean }

/** How long two accounts of which one made or changed the other are not two people. */
export const APART_HOURS = 72

const APPROVERS = ['manager', 'admin']
const mayApprove = ({ role, disabled }: Account) => APPROVERS.includes(role) && !disabled

/**
 * Who has set an account's password or role could be the one who uses it; who made a key that does no
 * more than post alerts (`keyed`), the one who posted them.
 */
export type What = 'created' | 'changed' | 'keyed' | 'removed'

async function record({ tx, principal }: ChangeContext, { id, username }: Account, what: What) {
  if (principal.id === undefined || principal.id === id) return
  await tx
    .insertInto('account_changes')
    .values({
      user_id: id,
      username,
      what,
      changed_by_id: principal.id,
      changed_by: principal.username,
    })
    .execute()
}

export const recordCreated = (change: ChangeContext, user: Account) =>
  record(change, user, 'created')

export const recordTaken = (change: ChangeContext, user: Account) => record(change, user, 'changed')

/** With what an approval can be asked for. */
export const ASKING: Permission[] = ['soar:execute', 'playbooks:execute', 'investigation:trigger']

/** Who makes a key that can ask for approvals could ask in the name of its owner, or by an alert. */
export async function recordKey(change: ChangeContext, owner: Account, scopes: Permission[]) {
  if (scopes.some((scope) => ASKING.includes(scope))) await recordTaken(change, owner)
  else if (scopes.includes('alerts:write')) await record(change, owner, 'keyed')
}

/** Nothing for what is neither a way into the account nor the end of somebody who may approve. */
export async function recordUpdate(
  change: ChangeContext,
  { before, after, hasNewPassword }: { before: Account; after: Account; hasNewPassword: boolean },
): Promise<void> {
  const isOpened = before.disabled && !after.disabled
  if (hasNewPassword || before.role !== after.role || isOpened) await recordTaken(change, after)
  if (mayApprove(before) && !mayApprove(after)) await record(change, before, 'removed')
}

export async function recordRemoved(change: ChangeContext, user: Account): Promise<void> {
  if (mayApprove(user)) await record(change, user, 'removed')
}

const recent = sql<boolean>`changed_at > now() - ${APART_HOURS} * interval '1 hour'`

const TAKEN: What[] = ['created', 'changed']
/** For what somebody has posted, not asked for. */
export const TAKEN_TO_POST: What[] = [...TAKEN, 'keyed']

/** The account itself and all that may be the same person: made or changed by one another lately. */
export async function samePerson(db: Db, userId: string, by = TAKEN): Promise<Set<string>> {
  const changes = await db
    .selectFrom('account_changes')
    .select(['user_id', 'changed_by_id'])
    .where('what', 'in', by)
    .where(recent)
    .execute()
  const found = new Set([userId])
  for (let before = 0; before < found.size; ) {
    before = found.size
    for (const { user_id, changed_by_id } of changes) {
      if (found.has(user_id) || found.has(changed_by_id)) found.add(user_id).add(changed_by_id)
    }
  }
  return found
}

/** Those of them whom this person has removed lately, or kept from approving. */
export async function removedBy(db: Db, userId: string, among: string[]): Promise<string[]> {
  if (among.length === 0) return []
  const rows = await db
    .selectFrom('account_changes')
    .select('username')
    .distinct()
    .where('what', '=', 'removed')
    .where('changed_by_id', 'in', [...(await samePerson(db, userId))])
    .where('user_id', 'in', among)
    .where(recent)
    .execute()
  return rows.map(({ username }) => username)
}

/**
 * Those who may approve and are not one of these accounts. Whom these have removed lately counts:
 * who has sent everybody else away is not alone.
 */
export async function othersWhoApprove(db: Db, accounts: Set<string>): Promise<Account['id'][]> {
  const ids = [...accounts]
  const there = await db
    .selectFrom('users')
    .select('id')
    .where('role', 'in', APPROVERS)
    .where('disabled', '=', false)
    .where('id', 'not in', ids)
    .execute()
  const removed = await db
    .selectFrom('account_changes')
    .select('user_id as id')
    .where('what', '=', 'removed')
    .where('changed_by_id', 'in', ids)
    .where('user_id', 'not in', ids)
    .where(recent)
    .execute()
  return [...new Set([...there, ...removed].map(({ id }) => id))]
}
