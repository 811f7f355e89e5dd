import { invalid } from '@manara/kit/errors'
import type { Firmware, VendorKey } from '@manara/soc-contract/firmware'
import type { Kysely, Selectable } from 'kysely'
import type { Tables } from '../../db/tables.ts'
import { isSignedBy, namesHash } from './domain/check-signature.ts'

type KeyRow = Selectable<Tables['firmware_keys']>

type Signed = {
  vendor: string
  sha256: string
  release_notes?: string | null | undefined
  signature?: string | null | undefined
}

/** The vendor's key that made the signature, null without one; 400 when no key did. */
export async function signingKeyOf(db: Kysely<Tables>, signed: Signed): Promise<string | null> {
  if (!signed.signature) return null
  const found = findSigner(await db.selectFrom('firmware_keys').selectAll().execute(), signed)
  if ('problem' in found) throw invalid(found.field, found.problem)
  return found.keyId
}

/** The same over keys that were read before, for many at once. */
export function findSigner(
  keys: Pick<VendorKey, 'id' | 'vendor' | 'algorithm' | 'public_key'>[] | KeyRow[],
  { vendor, sha256, release_notes, signature }: Signed,
): { keyId: string } | { field: string; problem: string } {
  if (!release_notes) return { field: 'release_notes', problem: 'is what the signature is over' }
  if (!namesHash(release_notes, sha256)) {
    return {
      field: 'release_notes',
      problem: 'must name the sha256, else the signature says nothing about this firmware',
    }
  }
  const own = (keys as KeyRow[]).filter(
    (key) => key.revoked_at === null && key.vendor.toLowerCase() === vendor.toLowerCase(),
  )
  if (own.length === 0) {
    return {
      field: 'signature',
      problem: `there is no key of ${vendor}: add it at /firmware/keys first`,
    }
  }
  const key = own.find((one) => isSignedBy(one, release_notes, signature ?? ''))
  return key
    ? { keyId: key.id }
    : { field: 'signature', problem: `was made by no key of ${vendor}, or over other notes` }
}

/** What can be said of a stored signature now. */
export function signatureOf(
  row: Pick<Selectable<Tables['firmware']>, 'sha256' | 'release_notes' | 'signature' | 'vendor'>,
  key: KeyRow | undefined,
): Firmware['signature'] {
  const { signature, release_notes: notes, sha256 } = row
  if (signature === null) {
    return { status: 'unsigned', value: null, key_id: null, key_fingerprint: null }
  }
  const isGood =
    key !== undefined &&
    notes !== null &&
    key.vendor.toLowerCase() === row.vendor.toLowerCase() &&
    namesHash(notes, sha256) &&
    isSignedBy(key, notes, signature)
  return {
    status: !isGood ? 'invalid' : key.revoked_at ? 'key_revoked' : 'verified',
    value: signature,
    key_id: key?.id ?? null,
    key_fingerprint: key?.fingerprint ?? null,
  }
}
