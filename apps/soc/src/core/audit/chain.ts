import { hash } from 'node:crypto'
import { canonicalJson } from '@manara/soc-contract/canonical-json'
import type { Selectable } from 'kysely'
import type { Tables } from '../../db/tables.ts'

export type AuditRow = Selectable<Tables['audit_log']>

export const FIRST_HASH = '0'.repeat(64)

const sha256 = (value: unknown) => hash('sha256', canonicalJson(value), 'hex')

/**
 * What may have to be erased one day is in the chain only as this: nobody finds it out by guessing
 * once the salt is gone. Nothing for entries from before there were salts.
 */
export function detailsHash({ salt, detail, before, after, address }: AuditRow): string | null {
  return salt === null ? null : sha256([salt, { detail, before, after, address }])
}

/** SHA-256 over the canonical JSON of the entry, its place in the chain included. */
export function entryHash(row: AuditRow, details: string | null, seq: string, prevHash: string) {
  const { id, actor, actor_id, actor_kind, action, target, outcome, request_id } = row
  const place = { id, at: row.at.toISOString(), seq, prev_hash: prevHash }
  // Entries from before users had ids were sealed without one.
  const who = { actor, actor_kind, ...(actor_id === null ? {} : { actor_id }) }
  const entry = { ...place, ...who, action, target, outcome, request_id }
  if (details !== null) return sha256({ ...entry, details_hash: details })
  const { detail, before, after, address } = row
  return sha256({ ...entry, detail, before, after, address })
}
