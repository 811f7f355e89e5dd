import { hkdfSync } from 'node:crypto'
import { openKeyFile } from './key-file.ts'
import { createSealing, type Sealing } from './sealing.ts'

export type ServiceKeys = {
  sealing: Sealing
  /** Signs sessions: processes with the same key file take each other's tokens. */
  sessions: Uint8Array
}

/** What is derived from the key file, each for one use: knowing one says nothing about another. */
export function openServiceKeys(file: string): ServiceKeys {
  const key = openKeyFile(file)
  return {
    sealing: createSealing(key),
    sessions: new Uint8Array(hkdfSync('sha256', key, '', 'soc: session tokens', 32)),
  }
}
