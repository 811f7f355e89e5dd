import { createPublicKey, type KeyObject, sign, verify } from 'node:crypto'

/**
 * An image: magic, length of the manifest (4 bytes, big endian), manifest (JSON), Ed25519 signature
 * over all of these, then the archive (tar.zst) whose size and digest the manifest names.
 */
const MAGIC = Buffer.from('MANARA1\n')
const FIXED = MAGIC.length + 4
const SIGNATURE = 64
const MOST_MANIFEST = 4096

export type Header = { manifest: string; signed: Buffer; signature: Buffer; length: number }

export function encodeHeader(manifest: object, key: KeyObject): Buffer {
  const text = Buffer.from(JSON.stringify(manifest))
  const length = Buffer.alloc(4)
  length.writeUInt32BE(text.length)
  const signed = Buffer.concat([MAGIC, length, text])
  return Buffer.concat([signed, sign(null, signed, key)])
}

/** Undefined while more bytes are needed; throws with the reason when no more will help. */
export function decodeHeader(start: Buffer): Header | undefined {
  const known = start.subarray(0, MAGIC.length)
  if (!known.equals(MAGIC.subarray(0, known.length))) throw new Error('is not a firmware image')
  if (start.length < FIXED) return undefined
  const end = FIXED + start.readUInt32BE(MAGIC.length)
  if (end - FIXED > MOST_MANIFEST) throw new Error('has a manifest that is too long')
  const length = end + SIGNATURE
  if (start.length < length) return undefined
  return {
    manifest: start.toString('utf8', FIXED, end),
    signed: start.subarray(0, end),
    signature: start.subarray(end, length),
    length,
  }
}

export const isSignedBy = ({ signed, signature }: Header, keys: readonly KeyObject[]) =>
  keys.some((key) => verify(null, signed, key, signature))

/** Public keys from a text of one or more PEM blocks; what is no Ed25519 key throws. */
export function parseKeys(pem: string): KeyObject[] {
  const blocks = pem.match(/-----BEGIN PUBLIC KEY-----[\s\S]+?-----END PUBLIC KEY-----/g) ?? []
  return blocks.map((block) => ed25519(createPublicKey(block)))
}

export const keyFromBase64 = (spki: string) =>
  ed25519(createPublicKey({ key: Buffer.from(spki, 'base64'), format: 'der', type: 'spki' }))

function ed25519(key: KeyObject): KeyObject {
  if (key.asymmetricKeyType !== 'ed25519') throw new Error('an update key must be Ed25519')
  return key
}
