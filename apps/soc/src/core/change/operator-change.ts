import { conflict } from '@manara/kit/errors'
import type { EventName } from '@manara/soc-contract/events'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Kysely, Transaction } from 'kysely'
import type { Database } from '../../db/database.ts'
import type { Tables } from '../../db/tables.ts'
import { type AuditEntry, callerOf } from '../audit/entry.ts'
import { principalOf } from '../identity/caller.ts'
import type { Principal } from '../identity/principal.ts'
import type { Mode } from '../mode/mode.ts'
import type { AtOnce, Caller, GroupMember } from './at-once.ts'
import { createGroups, type InContext } from './groups.ts'
import { createHurry } from './hurry.ts'
import { committed, inTransaction } from './in-transaction.ts'
import { sendAsPreview } from './preview.ts'
import { type WrittenEvent, writeAuditAndEvents } from './write-audit-and-events.ts'

export type ChangeContext = {
  tx: Transaction<Tables>
  principal: Principal
  /** Tells the listeners, once and only if the change is committed. */
  publish(event: EventName, data: object): Promise<void>
  audit(entry: Change): Promise<void>
}

type Change = {
  action: string
  target: string
  before?: object | null | undefined
  after?: object | null | undefined
  /** In whose name, or by way of what, where the caller alone does not say it. */
  detail?: string | undefined
}

type Work<T> = (change: ChangeContext) => Promise<T>

export type Changes = {
  /**
   * A change an analyst asks for: done in `real`, shown in `dry_run`, refused in `dummy`. What
   * takes long without changing anything is `prepare`d before the transaction begins.
   */
  operatorChange<T extends object, Prepared = undefined>(
    request: FastifyRequest,
    reply: FastifyReply,
    status: 200 | 201,
    work: (change: ChangeContext, prepared: Prepared) => Promise<T>,
    prepare?: () => Promise<Prepared>,
  ): Promise<T>
  /** What a pipeline records by itself, or for `principal`: done in `real` and `dry_run`. */
  internalWorkflow<T>(work: Work<T>, principal?: Principal): Promise<T>
}

export type GroupedChanges = {
  /**
   * A change that many ask for at once: those who wait share a transaction, each with their audit
   * row and their event. It applies where changes are made; else each is an `operatorChange`. What
   * can be done `atOnce` is, the rest `together`.
   */
  inGroups<Asked, Done>(
    together: Together<Asked, Done>,
    atOnce?: InOneStatement<Asked, Done>,
  ): GroupedChange<Asked, Done>
  /** They come so fast that whoever works on what follows from them stands back. */
  isHurried(): boolean
}

/** One change of a group. */
export type GroupedContext = ChangeContext & InContext

/** Does all of them, and answers each in its place. */
type Together<Asked, Done> = (changes: GroupedContext[], asked: Asked[]) => Promise<Done[]>

/** The same in one statement, or nothing at all where that is not enough. */
type InOneStatement<Asked, Done> = (
  db: Kysely<Tables>,
  members: readonly GroupMember[],
  asked: Asked[],
) => Promise<AtOnce<Done> | undefined>

type GroupedChange<Asked, Done> = {
  applies(): boolean
  ask(request: FastifyRequest, asked: Asked): Promise<Done>
}

type ChangeDeps = {
  database: Pick<Database, 'kysely' | 'isAvailable'>
  mode: Mode
  /** Outside of any transaction: for what was not done. */
  recordAudit(entries: AuditEntry[]): Promise<void>
  /** After a commit: there is something to number and to send. */
  wake(): void
  /** What is now true, and nothing can take back. */
  onCommitted?(events: WrittenEvent[]): void
}

/** Who makes a change, as the audit log names them. */
type Maker = {
  caller: Pick<Caller, 'actor' | 'actor_kind'> & Partial<Caller>
  principal: Principal
}

const SYSTEM: Principal = {
  username: 'system',
  role: 'service',
  permissions: new Set(),
  kind: 'system',
}

/** The one place where the runtime mode decides about changes. */
export function createOperatorChange(deps: ChangeDeps): Changes & GroupedChanges {
  const { database, mode } = deps
  const hurry = createHurry()

  const operatorChange: Changes['operatorChange'] = async (
    request,
    reply,
    status,
    changing,
    prepare,
  ) => {
    const principal = principalOf(request)
    const caller = callerOf(request, principal)
    if (mode.operatorChanges === 'refused') {
      const detail = mode.name
      await deps.recordAudit([{ ...caller, ...asked(request), outcome: 'blocked', detail }])
      throw conflict(blocked(mode))
    }
    const prepared = await prepare?.()
    const work = (change: ChangeContext) =>
      changing(change, prepared as Parameters<typeof changing>[1])
    // Set first: work may answer otherwise, as a deduplicated alert does.
    reply.code(status)
    if (mode.operatorChanges === 'made') return commitAlone({ caller, principal }, work)

    const { record, changes } = await rehearse(principal, work)
    await deps.recordAudit(
      (changes.length > 0 ? changes : [asked(request)]).map((change) => ({
        ...caller,
        ...change,
        outcome: 'preview',
      })),
    )
    sendAsPreview(reply)
    return record
  }

  async function internalWorkflow<T>(work: Work<T>, principal = SYSTEM): Promise<T> {
    if (!mode.runsPipelines) throw conflict(blocked(mode))
    const caller = { actor: principal.username, actor_kind: principal.kind }
    return commitAlone({ caller, principal }, work)
  }

  function inGroups<Asked, Done>(
    together: Together<Asked, Done>,
    atOnce?: InOneStatement<Asked, Done>,
  ): GroupedChange<Asked, Done> {
    const ask = createGroups<Asked, Done, Maker & { caller: Caller }>(async (group) => {
      const all = group.map(({ asked: one }) => one)
      const made = atOnce && (await tryAtOnce((tx) => atOnce(tx, group, all)))
      if (made) {
        deps.wake()
        deps.onCommitted?.(made.told)
        return made.done
      }
      return commit((changeOf) =>
        together(
          group.map((one) => ({ ...changeOf(one), inContext: one.inContext })),
          all,
        ),
      )
    })
    return {
      applies: () => mode.operatorChanges === 'made',
      ask(request, one) {
        hurry.note()
        const principal = principalOf(request)
        return ask({ caller: callerOf(request, principal), principal }, one)
      },
    }
  }

  async function tryAtOnce<T>(ask: (tx: Transaction<Tables>) => Promise<T | undefined>) {
    try {
      return await committed(database, async (tx) => {
        const made = await ask(tx)
        if (made === undefined) throw ROLL_BACK
        return made
      })
    } catch (error) {
      if (error !== ROLL_BACK) throw error
    }
  }

  const commitAlone = <T>(maker: Maker, work: Work<T>) =>
    commit((changeOf) => work(changeOf(maker)))

  /** One transaction, whoever takes part in it. */
  async function commit<T>(
    work: (changeOf: (maker: Maker) => ChangeContext) => Promise<T>,
  ): Promise<T> {
    const { made, events, hasWritten } = await committed(database, async (tx) => {
      const entries: AuditEntry[] = []
      const events: WrittenEvent[] = []
      const made = await work(({ caller, principal }) => ({
        ...{ tx, principal },
        publish: async (event, data) => void events.push({ event, data }),
        audit: async (change) => void entries.push({ ...caller, ...change, outcome: 'done' }),
      }))
      await writeAuditAndEvents(tx, entries, events)
      return { made, events, hasWritten: entries.length + events.length > 0 }
    })
    // Who only looked has left nothing to seal or to number.
    if (hasWritten) deps.wake()
    deps.onCommitted?.(events)
    return made
  }

  async function rehearse<T>(principal: Principal, work: Work<T>) {
    let changes: Change[] = []
    let record: T | undefined
    try {
      await inTransaction(database, async (tx) => {
        changes = []
        record = await work({
          ...{ tx, principal },
          // Nobody hears of what is not kept.
          publish: async () => {},
          audit: async (change) => void changes.push(change),
        })
        throw ROLL_BACK
      })
    } catch (error) {
      if (error !== ROLL_BACK) throw error
    }
    return { record: record as T, changes }
  }

  return { operatorChange, inGroups, isHurried: hurry.isHigh, internalWorkflow }
}

const ROLL_BACK = Symbol('nothing of it is kept')

const blocked = ({ name }: Mode) => `changes are blocked in ${name} mode: nothing was changed`

const asked = (request: FastifyRequest) => ({
  action: `${request.method} ${request.routeOptions.url}`,
  target: request.url.split('?')[0] ?? '',
})
