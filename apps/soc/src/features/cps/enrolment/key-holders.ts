import { conflict } from '@manara/kit/errors'
import { type Kysely, sql } from 'kysely'
import type { Tables } from '../../../db/tables.ts'

type Db = Kysely<Tables>

/** Of two devices that come with one key at the same moment the second sees the first. */
export async function holdKey(tx: Db, keySha256: string): Promise<void> {
  const name = `device key ${keySha256}`
  await sql`SELECT pg_advisory_xact_lock(hashtextextended(${name}, 0))`.execute(tx)
}

/** A key tells one device from all others: it is certified for one, and never once it was stolen. */
export async function refuseUsedKey(tx: Db, deviceId: string, keySha256: string): Promise<void> {
  const why = await whyNotOwn(tx, deviceId, keySha256)
  if (why === 'compromised') {
    throw conflict('csr: its key was revoked as compromised: make a new key on this device')
  }
  if (why) throw conflict('csr: its key is that of another device: make a new key on this device')
}

/** What a key signs for proves nothing when others have it too. Devices shared keys in data from before. */
export async function refuseSharedKey(tx: Db, deviceId: string, keySha256: string): Promise<void> {
  const why = await whyNotOwn(tx, deviceId, keySha256)
  if (!why) return
  const whose =
    why === 'compromised' ? 'was revoked as compromised' : 'is that of another device too'
  throw conflict(
    `certificate: its key ${whose}: make a new key on this device and enrol with a new code`,
  )
}

async function whyNotOwn(tx: Db, deviceId: string, keySha256: string) {
  const holders = await holdersOf(tx, keySha256)
  if (holders.some((holder) => holder.is_compromised)) return 'compromised'
  // A device that was revoked for another reason comes back as a new one, and may keep its key.
  const isAnothers = holders.some(({ id, status }) => id !== deviceId && status !== 'revoked')
  return isAnothers ? 'of another device' : undefined
}

/**
 * The devices that have or had the key. Whoever stole a key may have renewed with it to another one
 * before that was noticed: all keys of a device count as compromised, also superseded ones.
 */
const holdersOf = (tx: Db, keySha256: string) =>
  tx
    .selectFrom('cps_devices')
    .select(['id', 'status'])
    .select(
      sql<boolean>`EXISTS (SELECT FROM cps_certificates
        WHERE device_id = cps_devices.id AND reason = 'key_compromise')`.as('is_compromised'),
    )
    .where('id', 'in', (of) =>
      of.selectFrom('cps_certificates').select('device_id').where('key_sha256', '=', keySha256),
    )
    .execute()
