import { AppError, conflict, notFound } from '@manara/kit/errors'
import type { AuditRecord } from '@manara/soc-contract/audit'
import { sql } from 'kysely'
import type { ChangeContext } from '../../core/change/operator-change.ts'
import { toRecord } from './list-audit.ts'

/**
 * Takes personal data out of an entry: detail, before, after and address. The entry, its hash and
 * the chain stay, and a new entry says who erased it and why.
 */
export async function eraseDetails(
  change: ChangeContext,
  id: string,
  reason: string,
): Promise<AuditRecord> {
  const { tx, principal } = change
  const row = /^\d{1,18}$/.test(id)
    ? await tx.selectFrom('audit_log').selectAll().where('id', '=', id).executeTakeFirst()
    : undefined
  if (!row) throw notFound('audit entry', id)
  if (row.erased_at) throw conflict(`audit entry ${id} is erased already`)
  if (row.details_hash === null) {
    throw conflict(`audit entry ${id} is not sealed yet, or is from before details could be erased`)
  }
  if (row.actor === principal.username) {
    throw new AppError(403, 'nobody erases what is recorded about themselves: ask another admin')
  }
  await sql`SELECT erase_audit_details(${id}::bigint)`.execute(tx)
  await change.audit({ action: 'audit.erase', target: `audit:${id}`, after: { reason } })
  const after = await tx
    .selectFrom('audit_log')
    .selectAll()
    .where('id', '=', id)
    .executeTakeFirstOrThrow()
  return toRecord(after)
}
