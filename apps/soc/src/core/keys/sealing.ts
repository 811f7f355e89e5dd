import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from 'node:crypto'

const FORMAT = 'sealed-1'
const NONCE_BYTES = 12
const TAG_BYTES = 16

/** Keeps secrets in places that others may read: the database, its backups, files. */
export type Sealing = {
  /** `purpose` is bound to it: what was sealed as one thing cannot be passed off as another. */
  seal(secret: string | Uint8Array, purpose: string): string
  /** Throws `WrongKey` when it was sealed with another key, for another purpose, or was changed. */
  open(sealed: string, purpose: string): Buffer
}

export class WrongKey extends Error {
  override name = 'WrongKey'
}

export const isSealed = (text: string) => text.startsWith(`${FORMAT}.`)

/** AES-256-GCM with a key of its own that is derived from the key file's. */
export function createSealing(keyFile: Uint8Array): Sealing {
  const key = Buffer.from(hkdfSync('sha256', keyFile, '', 'soc: sealing', 32))

  return {
    seal(secret, purpose) {
      const nonce = randomBytes(NONCE_BYTES)
      const cipher = createCipheriv('aes-256-gcm', key, nonce).setAAD(Buffer.from(purpose))
      const hidden = [cipher.update(secret as Uint8Array), cipher.final()]
      return `${FORMAT}.${Buffer.concat([nonce, ...hidden, cipher.getAuthTag()]).toString('base64url')}`
    },
    open(sealed, purpose) {
      const bytes = Buffer.from(sealed.slice(FORMAT.length + 1), 'base64url')
      if (!isSealed(sealed) || bytes.length < NONCE_BYTES + TAG_BYTES) throw wrongKey(purpose)
      const end = bytes.length - TAG_BYTES
      const decipher = createDecipheriv('aes-256-gcm', key, bytes.subarray(0, NONCE_BYTES))
        .setAAD(Buffer.from(purpose))
        .setAuthTag(bytes.subarray(end))
      try {
        return Buffer.concat([decipher.update(bytes.subarray(NONCE_BYTES, end)), decipher.final()])
      } catch {
        throw wrongKey(purpose)
      }
    },
  }
}

const wrongKey = (purpose: string) =>
  new WrongKey(
    `${purpose} was sealed with another key file: put that one back, or name it in SOC_KEY_FILE`,
  )
