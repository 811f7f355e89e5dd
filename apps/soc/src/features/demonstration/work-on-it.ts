import type { Kysely } from 'kysely'
import type { ChangeContext, Changes } from '../../core/change/operator-change.ts'
import type { Tables } from '../../db/tables.ts'
import { demonstrationRow, REMOVING_RECORDS } from './demonstration.store.ts'
import { type CaseChanges, removeRecords } from './remove-records.ts'
import { type Load, story } from './story.ts'

/** Events at a time. */
const PART = 40

export type WorkDeps = {
  db: Kysely<Tables>
  /** Takes events in as from any sender; resolves when they are on disk. */
  takeEvents(events: object[]): Promise<unknown>
  /** Takes the events of a load out of the log store; answers how many had to stay. */
  dropEvents(load: Load): Promise<number>
  /** Resolves when what came in until now has been through the rules, and its hosts are learnt. */
  settle(): Promise<unknown>
} & CaseChanges &
  Pick<Changes, 'internalWorkflow'>

/**
 * Does what is still to do, and can be begun again after any crash: events have ids of their own,
 * and removing what is gone removes nothing. True when there is more to do.
 */
export async function workOnDemonstration(deps: WorkDeps): Promise<boolean> {
  const row = await demonstrationRow(deps.db)
  if (!row || row.status === 'loaded') return false
  return row.status === 'loading' ? load(deps, row) : remove(deps, row)
}

async function load(deps: WorkDeps, row: Load) {
  const { id } = row
  const events = story(row)
  // In parts, so that somebody who waits sees it grow.
  for (let at = 0; at < events.length; at += PART) {
    await deps.takeEvents(events.slice(at, at + PART))
    await say(deps, { events: Math.min(at + PART, events.length) }, 'loading')
  }
  return deps.internalWorkflow(async (change) => {
    const { numUpdatedRows } = await change.tx
      .updateTable('demonstration')
      .set({ status: 'loaded', step: null, events: events.length })
      .where('status', '=', 'loading')
      .executeTakeFirst()
    // Somebody asked to remove it meanwhile: that comes next.
    if (numUpdatedRows === 0n) return true
    await tell(change, id, 'loaded', { events: events.length })
    return false
  })
}

async function remove(deps: WorkDeps, row: Load) {
  const { id } = row
  const events_left = await deps.dropEvents(row)
  // What is still on its way would come after its records are gone, and stay.
  await deps.settle()
  await say(deps, { step: REMOVING_RECORDS, events: 0 }, 'removing')
  return deps.internalWorkflow(async (change) => {
    const removed = await removeRecords(change, row, deps)
    // What agents made of an alert may have come just now: looked for once more.
    const isClean = removed.alerts + removed.cases + removed.others === 0
    if (isClean) await change.tx.deleteFrom('demonstration').execute()
    await tell(change, id, isClean ? 'none' : 'removing', { ...removed, events_left })
    return !isClean
  })
}

/** How far it is, for who looks at it now. */
const say = (
  { internalWorkflow }: WorkDeps,
  facts: { events: number; step?: string },
  status: 'loading' | 'removing',
) =>
  internalWorkflow(async ({ tx, publish }) => {
    await tx.updateTable('demonstration').set(facts).where('status', '=', status).execute()
    await publish('demonstration.changed', { status })
  })

async function tell({ audit, publish }: ChangeContext, id: string, status: string, after: object) {
  await audit({
    action: status === 'loaded' ? 'demonstration.loaded' : 'demonstration.removed',
    target: `demonstration:${id}`,
    after,
  })
  await publish('demonstration.changed', { status })
}
