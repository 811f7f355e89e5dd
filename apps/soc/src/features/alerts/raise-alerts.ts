import { conflict } from '@manara/kit/errors'
import type { AlertCreate } from '@manara/soc-contract/alerts'
import type { GroupedContext } from '../../core/change/operator-change.ts'
import { toAlert } from './alert-record.ts'
import { mergeEqual } from './domain/merge-equal.ts'
import { insertOrCount } from './insert-or-count.ts'
import type { NoteInCases } from './link-alert.ts'
import { type Raised, tellRaised } from './raise-alert.ts'

/** Many alerts of many callers in one statement: each is answered as if they had come one by one. */
export async function raiseAlerts(
  noteInCases: NoteInCases,
  changes: GroupedContext[],
  alerts: AlertCreate[],
): Promise<Raised[]> {
  const [first] = changes
  const merged = mergeEqual(alerts)
  // Then each is tried alone, one after the other.
  if (!first || !merged) throw conflict('equal alerts with another status each')
  const raised: Raised[] = []
  const rows = await insertOrCount(first.tx, merged)
  for (const { hash, places } of merged) {
    const found = rows.get(hash)
    if (!found) throw new Error(`alert ${hash} was not stored`)
    for (const [turn, place] of places.entries()) {
      const change = changes[place] as GroupedContext
      const count = found.row.occurrence_count - places.length + turn + 1
      raised[place] = await change.inContext(async () => {
        const own = {
          alert: toAlert({ ...found.row, occurrence_count: count }),
          isNew: found.isNew && turn === 0,
          isReopened: found.isReopened && turn === 0,
        }
        await tellRaised(noteInCases, change, own)
        return own
      })
    }
  }
  return raised
}
