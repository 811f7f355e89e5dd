import type { KeyObject } from 'node:crypto'
import { existsSync, readFileSync } from 'node:fs'
import { writeDurably } from '@manara/kit/write-durably'
import { keyFromBase64, parseKeys } from './domain/image-header.ts'

/** The keys the box was set up with, and those that signed updates have added. */
export function openTrustedKeys(factoryFile: string, addedFile: string) {
  const readIf = (file: string) => (existsSync(file) ? readFileSync(file, 'utf8') : '')

  return {
    /** Read each time, so that a key taken out of the file is refused at once. */
    all: (): KeyObject[] => [...parseKeys(readIf(factoryFile)), ...parseKeys(readIf(addedFile))],

    add(spki: string) {
      const pem = keyFromBase64(spki).export({ type: 'spki', format: 'pem' }) as string
      const known = readIf(addedFile)
      if (!known.includes(pem)) writeDurably(addedFile, known + pem, 0o600)
    },
  }
}

export type TrustedKeys = ReturnType<typeof openTrustedKeys>
