import { hkdfSync } from 'node:crypto'
import { openKeyFile } from './key-file.ts'
import { createSealing, type Sealing } from './sealing.ts'

export type ServiceKeys = {
  sealing: Sealing
  /** Signs sessions: processes with the same key file take each other's tokens. */
  sessions: Uint8Array
  /** Of the Ed25519 key that heads and exports are signed with, unless another signer is set. */
  signingSeed: Uint8Array
}

/** What is derived from the key file, each for one use: knowing one says nothing about another. */
export function openServiceKeys(file: string): ServiceKeys {
  const key = openKeyFile(file)
  const derive = (use: string) => new Uint8Array(hkdfSync('sha256', key, '', `soc: ${use}`, 32))
  return {
    sealing: createSealing(key),
    sessions: derive('session tokens'),
    signingSeed: derive('ledger signatures'),
  }
}
