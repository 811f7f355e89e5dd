import type { ChangeContext } from '../../../core/change/operator-change.ts'
import { lockCases, note } from './cases.store.ts'

/** For changes elsewhere that concern cases, such as a link to one. */
export async function noteInCases(
  change: ChangeContext,
  notes: { caseId: string; action: string }[],
): Promise<void> {
  const rows = await lockCases(
    change.tx,
    notes.map(({ caseId }) => caseId),
  )
  for (const [index, { id }] of rows.entries()) {
    const action = notes[index]?.action ?? ''
    await note(change, id, action)
    await change.publish('case.updated', { id, action })
  }
}
