import { randomUUIDv7 } from 'node:crypto'
import type { Demonstration } from '@manara/soc-contract/demonstration'
import type { ChangeContext } from '../../core/change/operator-change.ts'
import { sourceOf } from '../../core/demonstration/marks.ts'
import { demonstrationRow, readDemonstration } from './demonstration.store.ts'

/** Loading what is there, or on its way, changes nothing. */
export async function askToLoad(change: ChangeContext): Promise<Demonstration> {
  const id = randomUUIDv7()
  const made = await change.tx
    .insertInto('demonstration')
    .values({
      ...{ id, source: sourceOf(id), status: 'loading', step: 'storing events' },
      begun_by: change.principal.username,
    })
    .onConflict((conflict) => conflict.doNothing())
    .returning('id')
    .executeTakeFirst()
  if (made) {
    await change.audit({
      action: 'demonstration.load',
      target: `demonstration:${id}`,
      after: { note: 'an invented incident; its records are removed with the demonstration' },
    })
    await change.publish('demonstration.changed', { status: 'loading' })
  }
  return readDemonstration(change.tx)
}

/** Also while it is being loaded: what is stored by then goes again. */
export async function askToRemove(change: ChangeContext): Promise<Demonstration> {
  const row = await demonstrationRow(change.tx)
  if (row && row.status !== 'removing') {
    await change.tx
      .updateTable('demonstration')
      .set({ status: 'removing', step: 'removing events' })
      .execute()
    await change.audit({ action: 'demonstration.remove', target: `demonstration:${row.id}` })
    await change.publish('demonstration.changed', { status: 'removing' })
  }
  return readDemonstration(change.tx)
}
