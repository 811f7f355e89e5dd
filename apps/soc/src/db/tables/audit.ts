import type { ColumnType } from 'kysely'
import type { BigSerial, Json, Timestamp, UserId } from './columns.ts'

type SealedLater<T> = ColumnType<T | null, never, T>

export type AuditTables = {
  audit_log: {
    id: BigSerial
    at: Timestamp
    actor: string
    actor_id: UserId
    actor_kind: string
    action: string
    target: string
    outcome: string
    detail: string | null
    before: Json<Record<string, unknown>> | null
    after: Json<Record<string, unknown>> | null
    address: string | null
    request_id: string | null
    seq: SealedLater<string>
    prev_hash: SealedLater<string>
    entry_hash: SealedLater<string>
    salt: ColumnType<string | null, never, never>
    details_hash: SealedLater<string>
    erased_at: ColumnType<Date | null, never, never>
  }
  /** Complete ones of the Merkle tree over the sealed entries, by the place of their first. */
  audit_subtrees: { first: string; size: string; hash: string }
  /** `frontier` is the Merkle tree over the sealed entries; null before it was made. */
  audit_head: {
    seq: string
    entry_hash: string
    frontier: ColumnType<{ size: number; hash: string }[] | null, string, string>
  }
}
