import { mkdirSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { sourceHash } from '@manara/kit/source-hash'
import {
  BUNDLE,
  BUNDLE_SOURCES,
  BUNDLE_STAMP,
  entryOf,
  isBundleCurrent,
} from '../apps/player/src/features/ota/entry-of.ts'

/**
 * `node scripts/server.ts`: bundles the player's server into `apps/player/dist`, unless what is there
 * was made from the same sources, and prints the file to start it by. That is the one in the sources
 * where nothing can be written.
 */
export async function ensureServer(): Promise<string> {
  if (isBundleCurrent('.')) return entryOf('.')
  try {
    await buildServer()
  } catch (error) {
    process.stderr.write(`player: runs from its sources: ${(error as Error).message}\n`)
  }
  return entryOf('.')
}

/** Throws when it cannot be built or written. */
export async function buildServer(): Promise<void> {
  const hash = sourceHash(BUNDLE_SOURCES)
  // Beside its place and then renamed: who starts meanwhile gets one or the other, never half.
  const fresh = `${BUNDLE}.${process.pid}`
  try {
    mkdirSync(fresh)
    const { bundleServer } = await import('./server/bundle-server.ts')
    await bundleServer(fresh)
    writeFileSync(path.join(fresh, BUNDLE_STAMP), JSON.stringify({ hash }))
    rmSync(BUNDLE, { recursive: true, force: true })
    renameSync(fresh, BUNDLE)
  } finally {
    rmSync(fresh, { recursive: true, force: true })
  }
}

if (import.meta.main) process.stdout.write(`${await ensureServer()}\n`)
