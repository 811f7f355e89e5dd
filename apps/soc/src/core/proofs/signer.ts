import { createHash, createPrivateKey, createPublicKey, type KeyObject, sign } from 'node:crypto'
import type { Signer } from '../../ports/signer.ts'

// An Ed25519 private key in PKCS #8 is this and the seed (RFC 8410, section 7).
const PKCS8_PREFIX = Buffer.from('302e020100300506032b657004220420', 'hex')

export function signerFromSeed(seed: Uint8Array): Signer {
  const key = createPrivateKey({
    key: Buffer.concat([PKCS8_PREFIX, seed]),
    format: 'der',
    type: 'pkcs8',
  })
  return {
    publicKey: createPublicKey(key),
    sign: async (message) => sign(null, message, key),
  }
}

/** SHA-256 of the public key: names it in what it signed. */
export const keyIdOf = (publicKey: KeyObject): string =>
  createHash('sha256')
    .update(publicKey.export({ format: 'der', type: 'spki' }))
    .digest('hex')

export const pemOf = (publicKey: KeyObject): string =>
  publicKey.export({ format: 'pem', type: 'spki' }).toString()

const PEM = /-----BEGIN PUBLIC KEY-----[^-]+-----END PUBLIC KEY-----/g

/** Of a file with one or several, by their ids. */
export function readPublicKeys(text: string): Map<string, KeyObject> {
  const keys = [...text.matchAll(PEM)].map(([pem]) => createPublicKey(pem))
  const signing = keys.filter(({ asymmetricKeyType }) => asymmetricKeyType === 'ed25519')
  return new Map(signing.map((key) => [keyIdOf(key), key]))
}
