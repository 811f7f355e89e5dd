import { readFileSync, rmSync } from 'node:fs'
import path from 'node:path'
import { syncToDisk, writeDurably } from '@manara/kit/write-durably'
import type { Db } from '../../db/open-store.ts'
import { removeOwnersFiles } from './data-files.ts'
import { eraseStore } from './erase-store.ts'

const markIn = (dataDir: string) => path.join(dataDir, 'reset.token')

/** On disk before anything is erased: from here on a power cut leaves a box that ends its reset. */
export const markReset = (dataDir: string, token: string) =>
  writeDurably(markIn(dataDir), token, 0o600)

export function unmarkReset(dataDir: string) {
  rmSync(markIn(dataDir), { force: true })
  // A mark that comes back would erase what the next owner has set up since.
  syncToDisk(dataDir)
}

/**
 * At every start, before anything is read: what a reset has left, because power was cut or because
 * it was written while everything stopped. Whether there was a reset to end.
 */
export function finishReset(db: Db, dataDir: string): boolean {
  const token = markedToken(dataDir)
  if (token === undefined) return false
  eraseStore(db, token)
  removeOwnersFiles(dataDir)
  unmarkReset(dataDir)
  return true
}

function markedToken(dataDir: string): string | undefined {
  try {
    const token = readFileSync(markIn(dataDir), 'utf8')
    return /^[0-9a-f]{64}$/.test(token) ? token : undefined
  } catch {
    return undefined
  }
}
