import type { Attestation, AttestationListQuery } from '@manara/soc-contract/cps'
import type { ListOf } from '@manara/soc-contract/lists'
import { type Kysely, type RawBuilder, sql } from 'kysely'
import { inTime } from '../../../db/keyset.ts'
import { readPage } from '../../../db/page.ts'
import { isRecordId } from '../../../db/record-id.ts'
import type { Tables } from '../../../db/tables.ts'
import { toAttestation } from './attestation-record.ts'

export async function listAttestations(
  db: Kysely<Tables>,
  query: AttestationListQuery,
): Promise<ListOf<Attestation>> {
  const listed = db
    .selectFrom('cps_attestations')
    .selectAll()
    .where(sql.join<boolean>([sql`true`, ...conditionsOf(query)], sql` AND `))
  return readPage(query, inTime(query.sort, query.order), listed, toAttestation)
}

function* conditionsOf(query: AttestationListQuery): Iterable<RawBuilder<boolean>> {
  const { device_id, verdict, status, from, to } = query
  if (device_id !== undefined) {
    yield isRecordId(device_id) ? sql`device_id = ${device_id}` : sql`false`
  }
  if (verdict !== undefined) yield sql`verdict = ${verdict}`
  if (status !== undefined) yield sql`status = ${status}`
  if (from) yield sql`requested_at >= ${from}`
  if (to) yield sql`requested_at < ${to}`
}
