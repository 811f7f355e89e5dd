import type { KeyObject } from 'node:crypto'

/** Signs with an Ed25519 key that is not in the database; throws when it cannot. */
export type Signer = {
  publicKey: KeyObject
  sign(message: Uint8Array): Promise<Buffer>
}
