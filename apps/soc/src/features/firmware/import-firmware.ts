import { randomUUIDv7 } from 'node:crypto'
import { AppError } from '@manara/kit/errors'
import { askThread } from '@manara/kit/thread/start-thread'
import type { FirmwareImportResult } from '@manara/soc-contract/firmware'
import { type Kysely, sql } from 'kysely'
import type { ChangeContext } from '../../core/change/operator-change.ts'
import type { Tables } from '../../db/tables.ts'
import { versionKey } from './domain/version-key.ts'
import type { ImportFile, ReadImport } from './parse/parse-import.ts'
import type { ParsedComponent, ParsedFirmware, Skipped } from './parse/parsed.ts'
import type { ReadImportCalls } from './parse/read-firmware-worker.ts'
import { findSigner } from './signing-key.ts'

export type ReadFile = Exclude<ReadImport, { problem: string }>

const LISTED_IDS = 100
const LISTED_SKIPPED = 1_000
const BATCH = 2_000

/** In a thread of its own: a large bill of materials would hold up everybody else. */
export async function readInThread(
  file: Omit<ImportFile, 'text'> & { bytes: Uint8Array },
  signal: AbortSignal,
): Promise<ReadFile> {
  const worker = new URL('./parse/read-firmware-worker.ts', import.meta.url)
  const read = await askThread<ReadImportCalls, 'read'>(worker, 'read', [file], signal)
  if ('problem' in read) throw new AppError(400, read.problem)
  return read
}

/** All of what is right in the file or, if nothing is, a 400 that names the first place. */
export async function importFirmware(
  change: ChangeContext,
  file: ReadFile,
): Promise<FirmwareImportResult> {
  const { admitted, skipped } = await admit(change.tx, file)
  const merged = await mergeFirmware(change, admitted, file.format)
  skipped.push(...merged.skipped)
  const [first] = skipped
  if (merged.known.length === 0 && first) {
    const more = skipped.length > 1 ? ` (and ${skipped.length - 1} more)` : ''
    throw new AppError(400, `body: ${first.place}: ${first.reason}${more}`)
  }
  let components = 0
  for (const { id, from } of merged.known) {
    if (!from.components) continue
    await replaceComponents(change.tx, id, from.components)
    components += from.components.length
  }
  const counts = {
    format: file.format,
    imported: merged.known.filter(({ isNew }) => isNew).length,
    updated: merged.known.filter(({ isNew }) => !isNew).length,
    components,
    firmware_ids: merged.known.slice(0, LISTED_IDS).map(({ id }) => id),
    skipped_count: skipped.length,
  }
  await change.audit({ action: 'firmware.import', target: 'firmware', after: counts })
  await change.publish('firmware.imported', counts)
  return { ...counts, skipped: skipped.slice(0, LISTED_SKIPPED) }
}

/** Each hash once, and with a signature that holds where there is one. */
async function admit(tx: Kysely<Tables>, file: ReadFile) {
  const keys = await tx.selectFrom('firmware_keys').selectAll().execute()
  const skipped: Skipped[] = [...file.skipped]
  const admitted = new Map<string, ParsedFirmware & { key_id: string | null }>()
  for (const one of file.firmware) {
    const { place } = one
    if (admitted.has(one.sha256)) {
      skipped.push({ place, reason: 'sha256: comes twice in the file' })
      continue
    }
    const signer = one.signature ? findSigner(keys, one) : { keyId: null }
    if ('problem' in signer) skipped.push({ place, reason: `${signer.field}: ${signer.problem}` })
    else admitted.set(one.sha256, { ...one, key_id: signer.keyId })
  }
  // In one order for all: two imports of the same hashes then never wait for each other in a ring.
  const ordered = [...admitted.values()].sort((a, b) => (a.sha256 < b.sha256 ? -1 : 1))
  return { admitted: ordered, skipped }
}

/** A hash that is known under another name stays what it was: one of the two is wrong. */
async function mergeFirmware(
  change: ChangeContext,
  admitted: (ParsedFirmware & { key_id: string | null })[],
  origin: FirmwareImportResult['format'],
) {
  const known: { id: string; isNew: boolean; from: ParsedFirmware }[] = []
  const skipped: Skipped[] = []
  for (let at = 0; at < admitted.length; at += BATCH) {
    const batch = admitted.slice(at, at + BATCH)
    const incoming = batch.map(({ components: _parts, place: _place, ...one }) => ({
      ...one,
      id: randomUUIDv7(),
      version_key: versionKey(one.version),
    }))
    const { rows } = await sql<{ id: string; sha256: string; is_new: boolean }>`
      INSERT INTO firmware AS known (id, vendor, product, version, version_key, sha256, status,
        released_at, release_notes, signature, key_id, origin, created_by)
      SELECT id, vendor, product, version, version_key, sha256, status, released_at,
        release_notes, signature, key_id, ${origin}, ${change.principal.username}
      FROM jsonb_to_recordset(${JSON.stringify(incoming)}::jsonb) AS given(id uuid, vendor text,
        product text, version text, version_key text, sha256 text, status text,
        released_at timestamptz, release_notes text, signature text, key_id uuid)
      ON CONFLICT (sha256) DO UPDATE SET
        status = CASE WHEN ${strictness('excluded')} > ${strictness('known')}
          THEN excluded.status ELSE known.status END,
        released_at = coalesce(known.released_at, excluded.released_at),
        release_notes = CASE WHEN known.signature IS NULL
          THEN coalesce(excluded.release_notes, known.release_notes) ELSE known.release_notes END,
        signature = coalesce(known.signature, excluded.signature),
        key_id = coalesce(known.key_id, excluded.key_id),
        updated_at = now()
      WHERE lower(known.vendor) = lower(excluded.vendor)
        AND lower(known.product) = lower(excluded.product) AND known.version = excluded.version
      RETURNING id, sha256, (xmax = 0) AS is_new`.execute(change.tx)
    const merged = new Map(rows.map((row) => [row.sha256, row]))
    for (const from of batch) {
      const row = merged.get(from.sha256)
      if (row) known.push({ id: row.id, isNew: row.is_new, from })
      else {
        const reason = 'sha256: is known already as another vendor, product or version'
        skipped.push({ place: from.place, reason })
      }
    }
  }
  return { known, skipped }
}

/** A list may block what is known; to allow what somebody has blocked takes a person. */
const strictness = (of: 'excluded' | 'known') =>
  sql`array_position(ARRAY['allowed', 'deprecated', 'blocked'], ${sql.ref(`${of}.status`)})`

async function replaceComponents(tx: Kysely<Tables>, id: string, components: ParsedComponent[]) {
  await tx.deleteFrom('firmware_components').where('firmware_id', '=', id).execute()
  for (let at = 0; at < components.length; at += BATCH) {
    const batch = components.slice(at, at + BATCH)
    await sql`
      INSERT INTO firmware_components (id, firmware_id, name, version, type, supplier, purl, cpe,
        license, sha256)
      SELECT uuidv7(), ${id}, name, version, type, supplier, purl, cpe, license, sha256
      FROM jsonb_to_recordset(${JSON.stringify(batch)}::jsonb) AS given(name text, version text,
        type text, supplier text, purl text, cpe text, license text, sha256 text)`.execute(tx)
  }
}
