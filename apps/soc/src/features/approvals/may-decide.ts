import { AppError } from '@manara/kit/errors'
import type { Approval } from '@manara/soc-contract/approvals'
import type { Kysely } from 'kysely'
import {
  APART_HOURS,
  othersWhoApprove,
  removedBy,
  samePerson,
  TAKEN_TO_POST,
  type What,
} from '../../core/identity/account-changes.ts'
import type { Principal } from '../../core/identity/principal.ts'
import type { Tables } from '../../db/tables.ts'
import type { ApprovalRow } from './approval-record.ts'
import { approvalRows, type Poster, postersOf } from './approvals.store.ts'

type Person = Pick<Principal, 'id' | 'username'> & { role: string }
type Decider = { tx: Kysely<Tables>; principal: Person }

/** Refuses who may not decide it, and says what is special about who may. */
export async function mayDecide(by: Decider, approval: ApprovalRow): Promise<Decidable> {
  const posters = await postersOf(by.tx, [approval.id])
  return mayDecideOne(by, approval, posters.get(approval.id) ?? [], createAccounts(by))
}

const NOBODY =
  'nobody can decide this now: all who may approve posted an alert that it rests on, or count as one person with somebody who did. Ask for the same by hand, as by executing the playbook or making the proposal: another of you then decides that'

/** Who may be the same person as whoever decides, if they are one. */
type Accounts = (by?: What[]) => Promise<Set<string>> | undefined

/** Looked up once for all the approvals that they look at. */
function createAccounts({ tx, principal: { id } }: Decider): Accounts {
  const found = new Map<What[] | undefined, Promise<Set<string>>>()
  return (by) => {
    if (id === undefined) return undefined
    const accounts = found.get(by) ?? samePerson(tx, id, by)
    found.set(by, accounts)
    return accounts
  }
}

type Decidable = { isNamed: boolean; isIndependent: boolean }

async function mayDecideOne(
  by: Decider,
  approval: ApprovalRow,
  posters: Poster[],
  accounts: Accounts,
): Promise<Decidable> {
  try {
    return await decidableBy(by, approval, posters, accounts)
  } catch (error) {
    if (!(error instanceof AppError) || posters.length === 0) throw error
    throw (await canAnybody(by, approval, posters)) ? error : new AppError(error.status, NOBODY)
  }
}

/** To be told to ask somebody else helps only while there is somebody. */
async function canAnybody({ tx }: Decider, approval: ApprovalRow, posters: Poster[]) {
  const candidates = await tx
    .selectFrom('users')
    .select(['id', 'username', 'role'])
    .where('role', 'in', ['manager', 'admin'])
    .where('disabled', '=', false)
    .execute()
  for (const principal of candidates) {
    const by = { tx, principal }
    const refusal = await refusalOf(decidableBy(by, approval, posters, createAccounts(by)))
    if (refusal === undefined) return true
  }
  return false
}

async function decidableBy(
  by: Decider,
  approval: ApprovalRow,
  posters: Poster[],
  accounts: Accounts,
): Promise<Decidable> {
  await refuseOwnRequest(by, approval, posters)
  const isNamed = await refuseOthers(by, approval)
  return { isNamed, isIndependent: await refuseSamePerson(by, approval, posters, accounts) }
}

/** The same approvals as whoever reads them sees them: those that they may not decide say why. */
export async function withRefusals(
  tx: Kysely<Tables>,
  principal: Principal,
  approvals: Approval[],
): Promise<Approval[]> {
  const waiting = approvals.filter(({ status }) => status === 'pending').map(({ id }) => id)
  if (waiting.length === 0 || !principal.permissions.has('approvals:manage')) return approvals
  const by = { tx, principal }
  const accounts = createAccounts(by)
  const posters = await postersOf(tx, waiting)
  const refusals = new Map<string, string>()
  for (const row of await approvalRows(tx, waiting)) {
    const refusal = await refusalOf(mayDecideOne(by, row, posters.get(row.id) ?? [], accounts))
    if (refusal !== undefined) refusals.set(row.id, refusal)
  }
  return approvals.map((approval) => {
    const decision_refused = refusals.get(approval.id)
    return decision_refused === undefined ? approval : { ...approval, decision_refused }
  })
}

const refusalOf = (deciding: Promise<Decidable>): Promise<string | undefined> =>
  deciding.then(
    () => undefined,
    (error: unknown) => {
      if (error instanceof AppError) return error.message
      throw error
    },
  )

/** Somebody else who may approve, or was sent away by the caller just now. */
export async function hasSecondPerson({ tx, principal }: Decider): Promise<boolean> {
  const other = await tx
    .selectFrom('users')
    .select('username')
    .where('role', 'in', ['manager', 'admin'])
    .where('disabled', '=', false)
    .where('username', '!=', principal.username)
    .limit(1)
    .executeTakeFirst()
  if (other !== undefined) return true
  if (principal.id === undefined) return false
  return (await othersWhoApprove(tx, await samePerson(tx, principal.id))).length > 0
}

/**
 * Who makes an account, or takes one over, does not become two people by it. Where nobody else could
 * decide, as in a team that has just begun, that is recorded instead of refused.
 */
async function refuseSamePerson(
  { tx, principal }: Decider,
  { requested_by, requested_by_id, approver_ids }: ApprovalRow,
  posters: Poster[],
  accountsOf: Accounts,
): Promise<boolean> {
  const isPosted = posters.length > 0
  const accounts = await accountsOf(isPosted ? TAKEN_TO_POST : undefined)
  const asked = isPosted ? posters : [{ id: requested_by_id, name: requested_by }]
  const same = asked.find(({ id }) => id !== null && accounts?.has(id))
  if (!accounts || !same) return true
  const others = await othersWhoApprove(tx, accounts)
  if (!others.some((id) => approver_ids === null || approver_ids.includes(id))) return false
  const whoAsked = isPosted ? `${same.name}, ${WHO_POSTED},` : same.name
  throw new AppError(
    403,
    `${principal.username} and ${whoAsked} do not count as two people: one account was made, changed or given a key by the other, or both by the same person, within ${APART_HOURS} hours: ask another manager or admin`,
  )
}

const WHO_POSTED = 'who posted the alert that made the service ask'

/**
 * Four eyes, unless there are only two: who is the one manager or admin decides alone. An alert that
 * makes the service ask is one's own request, too.
 */
async function refuseOwnRequest(
  { tx, principal }: Decider,
  approval: ApprovalRow,
  posters: Poster[],
) {
  const isPoster = posters.some(({ id }) => id === principal.id)
  if (!isPoster && !isOwn(approval, principal)) return
  if (await hasSecondPerson({ tx, principal })) {
    const who = isPoster ? `${WHO_POSTED} for an approval` : 'who requests an approval'
    throw new AppError(403, `${who} cannot decide it: ask another manager or admin`)
  }
}

/**
 * A playbook may name those who decide about it. When none of them is left an admin decides in their
 * place, but not the one who sent them away.
 */
async function refuseOthers(
  { tx, principal }: Decider,
  { approvers, approver_ids, approvers_left }: ApprovalRow,
): Promise<boolean> {
  if (approvers === null || approver_ids?.includes(principal.id ?? '')) return true
  const only = `only ${approvers.join(', ')} may decide this`
  const isNew = approvers.includes(principal.username)
  const why = isNew ? `, and you are a new user of that name: take it out and name it again` : ''
  if (approvers_left === null || approvers_left.length > 0) throw new AppError(403, `${only}${why}`)
  if (principal.role !== 'admin') {
    throw new AppError(403, `${only}, and none of them is left: an admin decides in their place`)
  }
  const removed = principal.id ? await removedBy(tx, principal.id, approver_ids ?? []) : []
  if (removed.length > 0) {
    throw new AppError(
      403,
      `${only}, and you took ${removed.join(', ')} away within ${APART_HOURS} hours: ask another admin`,
    )
  }
  return false
}

/** Of a former user only the name is known: then the same name counts as the same person. */
function isOwn({ requested_by, requested_by_id }: ApprovalRow, { id, username }: Person) {
  return requested_by_id === null ? requested_by === username : requested_by_id === id
}
