import { X509Certificate } from 'node:crypto'
import type { IncomingHttpHeaders } from 'node:http'
import { readSignature } from '@manara/attestation/message-signature'
import { AppError } from '@manara/kit/errors'
import { type Kysely, sql } from 'kysely'
import type { Tables } from '../../../db/tables.ts'

const MOST_OFF_S = 10 * 60

type Signer = { id: string; name: string; site_id: string | null }

/** The device that signed; 401 when it is another, revoked, or its signature is old. */
export async function signerOf(
  { db, now }: { db: Kysely<Tables>; now(): number },
  deviceId: string,
  message: Parameters<typeof readSignature>[0],
  headers: IncomingHttpHeaders,
): Promise<Signer> {
  const read = readSignature(message, headers)
  if (typeof read === 'string') throw new AppError(401, read)
  if (Math.abs(now() / 1000 - read.created) > MOST_OFF_S) {
    throw new AppError(
      401,
      'signature: was not created now: set the clock by the Date of this reply',
    )
  }
  const { rows } = await sql<Signer & { certificate_pem: string }>`
    SELECT device.id, device.name, device.site_id, certificate_pem
    FROM cps_certificates JOIN cps_devices AS device ON device.id = device_id
    WHERE fingerprint = ${read.fingerprint} AND device.id = ${deviceId}
      AND cps_certificates.status = 'active' AND device.status <> 'revoked'
      AND not_after > ${new Date(now())}`.execute(db)
  const [known] = rows
  if (!known || !read.isSignedBy(new X509Certificate(known.certificate_pem).publicKey)) {
    throw new AppError(401, 'signature: is not one of this device')
  }
  const { certificate_pem: _certificate, ...device } = known
  return device
}
