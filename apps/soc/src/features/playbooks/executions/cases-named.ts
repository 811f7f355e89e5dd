import { sql } from 'kysely'
import { namedIn, seenIn } from '../../../core/access/cases-named.ts'
import type { ChangeContext } from '../../../core/change/operator-change.ts'

/** What a step was given and has found may name cases too: the execution is theirs as well then. */
export async function addNamed({ tx }: ChangeContext, executionId: string, ...parts: unknown[]) {
  if (seenIn(parts).length === 0) return
  await tx
    .updateTable('executions')
    .set({
      cases_named: sql`ARRAY(SELECT DISTINCT unnest(cases_named || ${namedIn(...parts)}))`,
    })
    .where('id', '=', executionId)
    .execute()
}
