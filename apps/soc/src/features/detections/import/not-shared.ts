import { sql } from 'kysely'
import type { ChangeContext } from '../../../core/change/operator-change.ts'
import { sharedWith } from '../../../core/identity/sharing.ts'
import type { DraftChunk } from './draft-rows.ts'
import type { Skipped } from './drafts.ts'

/** Files of rules that are there and not shared with who imports: nobody changes what they may not see. */
export async function notShared(
  { tx, principal }: ChangeContext,
  chunks: DraftChunk[],
): Promise<(Skipped & { external_id: string })[]> {
  const files = chunks.flatMap((chunk) => chunk.files)
  const ids = files.flatMap(({ external_id }) => external_id ?? [])
  const { rows } = await sql<{ sigma_id: string }>`
    SELECT sigma_id FROM detection_rules
    WHERE sigma_id = ANY(${ids}::text[]) AND NOT coalesce(${sharedWith(principal)}, false)`.execute(
    tx,
  )
  const theirs = new Set(rows.map(({ sigma_id }) => sigma_id))
  return files.flatMap(({ file, external_id }) =>
    external_id !== null && theirs.has(external_id)
      ? [{ file, external_id, reason: 'there is a rule with this id that is not shared with you' }]
      : [],
  )
}
