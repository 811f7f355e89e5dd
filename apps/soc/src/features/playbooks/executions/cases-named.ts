import { type RawBuilder, sql } from 'kysely'
import { idsIn, isHidden } from '../../../core/access/reader.ts'
import type { ChangeContext } from '../../../core/change/operator-change.ts'

/**
 * The cases that an execution works with: what comes of it is theirs. One that is hidden from whoever
 * asks for it does not count: its steps see nothing of that, and to hide what merely names it would
 * tell that there is one.
 */
export function namedIn(...parts: unknown[]): RawBuilder<string[]> {
  const ids = seenIn(parts)
  return sql`ARRAY(SELECT id FROM cases WHERE id = ANY(${ids}::uuid[]))`
}

/** The same for what a step was given and has found. */
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

const seenIn = (parts: unknown[]) => idsIn(JSON.stringify(parts)).filter((id) => !isHidden(id))
