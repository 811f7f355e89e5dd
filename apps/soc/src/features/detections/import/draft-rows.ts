import { createHash, randomUUIDv7 } from 'node:crypto'
import type { RuleFields } from '@manara/soc-contract/detections'
import { beginSchedule } from '../domain/schedule.ts'
import type { Draft } from './drafts.ts'
import { readerKey } from './reader-key.ts'
import { statedSettings } from './stated-settings.ts'

/** Rows for one statement, as JSON text that goes to the database as it is. */
export type DraftChunk = {
  rows: string
  /** What the answer says of each that the row does not. */
  files: {
    id: string
    external_id: string | null
    file: string
    warnings: string[]
    settings: Partial<RuleFields>
  }[]
}

const CHUNK = 250

export function chunksOf(drafts: Draft[], now: number): DraftChunk[] {
  const chunks: DraftChunk[] = []
  for (let at = 0; at < drafts.length; at += CHUNK) {
    const part = drafts.slice(at, at + CHUNK).map((draft) => ({
      ...draft,
      id: randomUUIDv7(),
      external_id: draft.external_id ?? idOfText(draft.sigma_source),
    }))
    const rows = part.map(({ rule, external_id, sigma_source, isPlain, ...draft }) => ({
      ...rule,
      ...beginSchedule(rule, now),
      id: draft.id,
      sigma_id: external_id,
      sigma_source,
      source_query: draft.source_query,
      read_by: sigma_source === null ? null : readerKey(),
      is_plain: isPlain,
      warnings: draft.warnings,
    }))
    chunks.push({
      rows: JSON.stringify(rows),
      files: part.map(({ id, external_id, file, warnings, ...draft }) => ({
        ...{ id, external_id, file, warnings },
        settings: statedSettings(draft),
      })),
    })
  }
  return chunks
}

/** Of a rule that has none in its file: the same text imported again is the same rule. */
function idOfText(text: string | null): string | null {
  if (text === null) return null
  const hex = createHash('sha256').update(text.trim()).digest('hex')
  return hex.replace(/^(.{8})(.{4}).(.{3}).(.{3})(.{12}).*$/, '$1-$2-8$3-8$4-$5')
}
