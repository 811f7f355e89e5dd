import { RevocationReason } from '@manara/soc-contract/cps'
import { type Kysely, sql } from 'kysely'
import type { Tables } from '../../../db/tables.ts'
import type { Authority } from './authority.ts'
import { validFor } from './issue.ts'
import { signRevocationList } from './revocation-list.ts'

const LIST_DAYS = 7
// Brokers fetch it now and then; signing it for each of them would be a gift to who wants to annoy.
const FRESH_MS = 60 * 60_000

export type Revocations = {
  /** The signed list in DER, with everything that was revoked before the call. */
  list(): Promise<Buffer>
  /** Another one when the list would say something else. */
  state(): Promise<string>
}

/** Which certificates are no longer good, as a list that anybody can check. */
export function createRevocations(deps: {
  db: Kysely<Tables>
  openAuthority(): Promise<Authority>
  now(): number
}): Revocations {
  const { db } = deps
  let last: { of: string; madeAt: number; list: Buffer } | undefined

  async function sign(now: number): Promise<Buffer> {
    const { issuer } = await deps.openAuthority()
    const rows = await db
      .selectFrom('cps_certificates')
      .select(['serial', 'revoked_at', 'reason'])
      .where('status', '=', 'revoked')
      .where('not_after', '>', new Date(now))
      .orderBy('revoked_at')
      .execute()
    const { crl_number } = await db
      .updateTable('cps_authority')
      .set({ crl_number: sql`crl_number + 1` })
      .returning('crl_number')
      .executeTakeFirstOrThrow()
    return signRevocationList(
      issuer,
      rows.map(({ serial, revoked_at, reason }) => ({
        serial,
        revokedAt: revoked_at ?? new Date(now),
        reason: RevocationReason.catch('unspecified').parse(reason),
      })),
      // From a little earlier: a broker whose clock lags would refuse everybody until then.
      { number: Number(crl_number), ...validFor(LIST_DAYS, now) },
    )
  }

  return {
    state: () => revokedSoFar(db),
    async list() {
      const now = deps.now()
      const of = await revokedSoFar(db)
      if (last?.of === of && now - last.madeAt < FRESH_MS) return last.list
      const list = await sign(now)
      last = { of, madeAt: now, list }
      return list
    },
  }
}

async function revokedSoFar(db: Kysely<Tables>): Promise<string> {
  const { rows } = await sql<{ of: string }>`
    SELECT concat_ws(' ', count(*), max(revoked_at),
      count(*) FILTER (WHERE reason = 'key_compromise')) AS of
    FROM cps_certificates WHERE status = 'revoked'`.execute(db)
  return rows[0]?.of ?? ''
}
