import { type Kysely, sql } from 'kysely'
import type { Tables } from '../../../db/tables.ts'
import type { DraftChunk } from './draft-rows.ts'

const FILTER = /^the filter "(.*)" leaves /s

/** Titles of the filters that rules of these files have until they are imported, by the rules' ids. */
export async function filtersBefore(
  tx: Kysely<Tables>,
  chunks: DraftChunk[],
): Promise<Map<string, string[]>> {
  const ids = chunks.flatMap(({ files }) => files.flatMap(({ external_id }) => external_id ?? []))
  const { rows } = await sql<{ sigma_id: string; warnings: string[] }>`
    SELECT sigma_id, warnings FROM detection_rules
    WHERE sigma_id = ANY(${ids}::text[])
      AND EXISTS (SELECT FROM unnest(warnings) AS note WHERE note LIKE 'the filter "%')`.execute(tx)
  return new Map(rows.map(({ sigma_id, warnings }) => [sigma_id, titlesIn(warnings)]))
}

/** What to tell of those that did not come along. */
export const lostFilters = (before: string[], warnings: string[]): string[] =>
  before
    .filter((title) => !titlesIn(warnings).includes(title))
    .map((title) => `its filter "${title}" is gone: import it together with the rule to keep it`)

const titlesIn = (notes: string[]) => notes.flatMap((note) => FILTER.exec(note)?.[1] ?? [])
