import { createHash, createPublicKey, type KeyObject, verify } from 'node:crypto'
import type { VendorKey } from '@manara/soc-contract/firmware'

const FEWEST_RSA_BITS = 2_048

export type ReadKey = Pick<VendorKey, 'algorithm' | 'public_key' | 'fingerprint'>

/** A public key in PEM as it is kept, or why it cannot be one. */
export function readPublicKey(pem: string): ReadKey | string {
  // createPublicKey would derive the public half of a private key, which belongs on no server.
  if (pem.includes('PRIVATE KEY')) return 'is a private key: send the public one'
  let key: KeyObject
  try {
    key = createPublicKey(pem)
  } catch {
    return 'is not a public key in PEM'
  }
  const algorithm = algorithmOf(key)
  if (algorithm === undefined) return `must be Ed25519, ECDSA or RSA, not ${key.asymmetricKeyType}`
  const { modulusLength = FEWEST_RSA_BITS } = key.asymmetricKeyDetails ?? {}
  if (algorithm === 'rsa' && modulusLength < FEWEST_RSA_BITS) {
    return `must have at least ${FEWEST_RSA_BITS} bits`
  }
  const der = key.export({ type: 'spki', format: 'der' })
  return {
    algorithm,
    public_key: key.export({ type: 'spki', format: 'pem' }).toString(),
    fingerprint: createHash('sha256').update(der).digest('hex'),
  }
}

function algorithmOf({ asymmetricKeyType }: KeyObject): VendorKey['algorithm'] | undefined {
  if (asymmetricKeyType === 'ed25519' || asymmetricKeyType === 'rsa') return asymmetricKeyType
  return asymmetricKeyType === 'ec' ? 'ecdsa' : undefined
}

/** Whether the key has signed these very bytes: as `openssl pkeyutl -sign` and `dgst -sign` do. */
export function isSignedBy(
  { algorithm, public_key }: Pick<VendorKey, 'algorithm' | 'public_key'>,
  text: string,
  signature: string,
): boolean {
  const digest = algorithm === 'ed25519' ? null : 'sha256'
  try {
    return verify(digest, Buffer.from(text), public_key, Buffer.from(signature, 'base64'))
  } catch {
    return false
  }
}

/** Notes that do not name the hash could be put to any image, and prove nothing about this one. */
export const namesHash = (notes: string, sha256: string) => notes.toLowerCase().includes(sha256)
