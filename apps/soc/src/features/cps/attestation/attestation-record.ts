import type { Attestation, AttestationClaims } from '@manara/soc-contract/cps'
import type { Selectable } from 'kysely'
import type { Reference } from '../../../db/tables/cps.ts'
import type { Tables } from '../../../db/tables.ts'

export type AttestationRow = Selectable<Tables['cps_attestations']>

export const toAttestation = (row: AttestationRow): Attestation => ({
  id: row.id,
  device_id: row.device_id,
  nonce: row.nonce,
  trigger: row.trigger,
  requested_by: row.requested_by,
  requested_at: row.requested_at.toISOString(),
  expires_at: row.expires_at.toISOString(),
  status: row.status,
  delivered_at: row.delivered_at?.toISOString() ?? null,
  received_at: row.received_at?.toISOString() ?? null,
  verdict: row.verdict,
  reason: row.reason,
  claims: row.claims,
})

/** What the next answers are compared with. */
export const referenceIn = ({ firmware, measurements }: AttestationClaims) => ({
  firmware,
  measurements,
})

/** What is kept with a device of an answer that is as it should be. */
export const foundInOrder = (claims: AttestationClaims, accepted: Reference['accepted']) => ({
  reference: JSON.stringify({ ...referenceIn(claims), accepted }),
  boot_count: claims.boot_count,
  boot_seed: claims.boot_seed,
})
