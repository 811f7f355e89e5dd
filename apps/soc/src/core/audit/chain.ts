import { createHash } from 'node:crypto'
import { canonicalJson } from '@manara/soc-contract/canonical-json'
import type { Selectable } from 'kysely'
import type { Tables } from '../../db/tables.ts'

export type AuditRow = Selectable<Tables['audit_log']>

export const FIRST_HASH = '0'.repeat(64)

/** SHA-256 over the canonical JSON of the whole entry, its place in the chain included. */
export function entryHash(row: AuditRow, seq: string, prevHash: string): string {
  const { entry_hash: _, ...entry } = { ...row, at: row.at.toISOString() }
  return createHash('sha256')
    .update(canonicalJson({ ...entry, seq, prev_hash: prevHash }))
    .digest('hex')
}
