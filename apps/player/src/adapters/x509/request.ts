import { createPublicKey, type KeyObject, sign } from 'node:crypto'
import { bits, der, integer, oid, sequence, set, utf8 } from './der.ts'

/** PKCS#10 (RFC 2986) for a P-256 key, as PEM: the key asks for a certificate by signing for itself. */
export function certificateRequest(commonName: string, key: KeyObject): string {
  const body = sequence(
    integer(Buffer.from([0])),
    sequence(set(sequence(oid('550403'), utf8(commonName)))),
    createPublicKey(key).export({ type: 'spki', format: 'der' }) as Buffer,
    der(0xa0),
  )
  const ecdsaSha256 = sequence(oid('2a8648ce3d040302'))
  const request = sequence(body, ecdsaSha256, bits(sign('sha256', body, key)))
  const lines = request.toString('base64').match(/.{1,64}/g) ?? []
  return `-----BEGIN CERTIFICATE REQUEST-----\n${lines.join('\n')}\n-----END CERTIFICATE REQUEST-----\n`
}
