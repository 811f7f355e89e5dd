import { conflict, unavailable } from '@manara/kit/errors'
import type { EventName } from '@manara/soc-contract/events'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Transaction } from 'kysely'
import { isCollision, isConnectionFailure } from '../../db/connection-failure.ts'
import type { Database } from '../../db/database.ts'
import type { Tables } from '../../db/tables.ts'
import { type AuditEntry, callerOf } from '../audit/entry.ts'
import { principalOf } from '../identity/caller.ts'
import type { Principal } from '../identity/principal.ts'
import type { Mode } from '../mode/mode.ts'
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

export type ChangeDeps = {
  database: Pick<Database, 'kysely' | 'isAvailable'>
  mode: Mode
  /** Outside of any transaction: for what was not done. */
  recordAudit(entries: AuditEntry[]): Promise<void>
  /** After a commit: there is something to number and to send. */
  wake(): void
  /** What is now true, and nothing can take back. */
  onCommitted?(events: WrittenEvent[]): void
}

type Caller = ReturnType<typeof callerOf>

const SYSTEM: Principal = {
  username: 'system',
  role: 'service',
  permissions: new Set(),
  kind: 'user',
}

/** The one place where the runtime mode decides about changes. */
export function createOperatorChange(deps: ChangeDeps): Changes {
  const { database, mode } = deps

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
    if (mode.operatorChanges === 'made') return commit(caller, principal, work)

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
    const kind = principal === SYSTEM ? 'system' : principal.kind
    return commit({ actor: principal.username, actor_kind: kind }, principal, work)
  }

  async function commit<T>(caller: Partial<Caller>, principal: Principal, work: Work<T>) {
    let isCommitting = false
    let told: WrittenEvent[] = []
    try {
      const record = await transaction(principal, work, async (tx, changes, events) => {
        await writeAuditAndEvents(
          tx,
          changes.map((change) => ({ ...anonymous, ...caller, ...change, outcome: 'done' })),
          events,
        )
        told = events
        isCommitting = true
      })
      deps.wake()
      deps.onCommitted?.(told)
      return record
    } catch (error) {
      // The answer to COMMIT was lost: it may have been done, so "nothing was changed" would be a lie.
      if (isCommitting && isConnectionFailure(error)) throw outcomeUnknown(error)
      throw error
    }
  }

  async function rehearse<T>(principal: Principal, work: Work<T>) {
    const changes: Change[] = []
    let record: T | undefined
    try {
      await transaction(
        principal,
        async (change) => {
          record = await work(change)
        },
        async (_tx, made) => {
          changes.push(...made)
          throw ROLL_BACK
        },
      )
    } catch (error) {
      if (error !== ROLL_BACK) throw error
    }
    return { record: record as T, changes }
  }

  async function transaction<T>(
    principal: Principal,
    work: Work<T>,
    finish: (tx: Transaction<Tables>, changes: Change[], events: WrittenEvent[]) => Promise<void>,
  ): Promise<T> {
    // Known to be away: say so at once instead of waiting for a connection.
    if (!database.isAvailable()) throw unavailable(AWAY)
    const once = () =>
      database.kysely.transaction().execute(async (tx) => {
        const changes: Change[] = []
        const events: WrittenEvent[] = []
        const record = await work({
          tx,
          principal,
          publish: async (event, data) => void events.push({ event, data }),
          audit: async (change) => void changes.push(change),
        })
        await finish(tx, changes, events)
        return record
      })
    for (let attempt = 1; attempt <= ATTEMPTS; attempt += 1) {
      try {
        return await once()
      } catch (error) {
        if (!isCollision(error)) throw error
      }
    }
    throw conflict('others are changing the same records: try again')
  }

  return { operatorChange, internalWorkflow }
}

const ATTEMPTS = 3
const ROLL_BACK = Symbol('a preview stores nothing')
const AWAY = 'the database is unavailable: nothing was changed, try again shortly'
const anonymous = { actor: 'anonymous', actor_kind: 'anonymous' }

const blocked = ({ name }: Mode) => `changes are blocked in ${name} mode: nothing was changed`

const outcomeUnknown = (cause: unknown) =>
  unavailable('the database went away while saving: look whether the change is there', cause)

const asked = (request: FastifyRequest) => ({
  action: `${request.method} ${request.routeOptions.url}`,
  target: request.url.split('?')[0] ?? '',
})
