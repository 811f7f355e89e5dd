import { type KeyObject, sign, verify } from 'node:crypto'
import { bytesOf, decodeCbor, encodeCbor, listOf, mapOf } from './cbor.ts'
import { MalformedEvidence } from './malformed.ts'

// RFC 9052: the tag of COSE_Sign1 and the header of the algorithm; RFC 9053: ES256; RFC 9360: x5t.
const TAG = 18
const TAG_BYTE = Buffer.from([0xc0 | TAG])
const ALGORITHM = 1
const ES256 = -7
const X5T = 34
const SHA_256 = -16

/** A signed message that names the certificate of its signer. */
export type Signed = {
  /** SHA-256 of the certificate, in hex. */
  fingerprint: string
  payload: Buffer
  isSignedBy(publicKey: KeyObject): boolean
}

/** COSE_Sign1 with ECDSA on P-256. */
export function signCose(payload: Uint8Array, key: KeyObject, fingerprint: string): Buffer {
  const header = encodeCbor(
    new Map<number, unknown>([
      [ALGORITHM, ES256],
      [X5T, [SHA_256, Buffer.from(fingerprint, 'hex')]],
    ]),
  )
  const signature = sign('sha256', toBeSigned(header, payload), { key, dsaEncoding: 'ieee-p1363' })
  return Buffer.concat([TAG_BYTE, encodeCbor([header, new Map(), Buffer.from(payload), signature])])
}

/** Throws `MalformedEvidence`. Whether the signature holds is asked for with the signer's key. */
export function readCose(bytes: Uint8Array): Signed {
  const parts = listOf(decodeCbor(bytes, [TAG]), 'COSE_Sign1')
  if (parts.length !== 4) throw new MalformedEvidence('COSE_Sign1 has not four parts')
  const header = bytesOf(parts[0], 'the protected header')
  mapOf(parts[1], 'the unprotected header')
  const payload = bytesOf(parts[2], 'the payload')
  const signature = bytesOf(parts[3], 'the signature')

  const headers = mapOf(decodeCbor(header), 'the protected header')
  if (headers.get(ALGORITHM) !== ES256) throw new MalformedEvidence('the algorithm is not ES256')
  const [hash, digest] = listOf(headers.get(X5T), 'x5t')
  const fingerprint = bytesOf(digest, 'x5t').toString('hex')
  if (hash !== SHA_256 || fingerprint.length !== 64) {
    throw new MalformedEvidence('x5t is not a SHA-256')
  }
  return {
    fingerprint,
    payload,
    isSignedBy: (key) =>
      key.asymmetricKeyType === 'ec' &&
      verify('sha256', toBeSigned(header, payload), { key, dsaEncoding: 'ieee-p1363' }, signature),
  }
}

/** RFC 9052 section 4.4. */
const toBeSigned = (header: Uint8Array, payload: Uint8Array) =>
  encodeCbor(['Signature1', Buffer.from(header), Buffer.alloc(0), Buffer.from(payload)])
