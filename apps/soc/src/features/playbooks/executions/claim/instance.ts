import { randomUUID } from 'node:crypto'
import { existsSync, readFileSync } from 'node:fs'
import { hostname } from 'node:os'
import path from 'node:path'
import { writeDurably } from '@manara/kit/write-durably'

/**
 * A data directory belongs to one process at a time, so what an earlier process there held is free
 * at once. The host is part of the name, since directories are copied with machines.
 */
export function instanceOf(dataDir: string): string {
  const file = path.join(dataDir, 'instance')
  if (!existsSync(file)) writeDurably(file, randomUUID(), 0o600)
  return `${hostname()}:${readFileSync(file, 'utf8')}`
}
