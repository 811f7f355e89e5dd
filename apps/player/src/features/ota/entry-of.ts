import { existsSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { sourceHash } from '@manara/kit/source-hash'
import { ENTRY } from './slots.ts'

/** The service in few files, as `scripts/server.ts` makes it: it starts sooner and takes less memory. */
export const BUNDLE = 'apps/player/dist'
export const BUNDLE_STAMP = '.built-from.json'

/** What the bundle is made from, in a checkout. */
export const BUNDLE_SOURCES = [
  'apps/player/src',
  'packages',
  'scripts/server.ts',
  'scripts/server',
  'package-lock.json',
]

/**
 * The file to start a version by. An image was verified whole; in a checkout the bundle may have been
 * left behind by an update of the sources, and then the sources run.
 */
export function entryOf(folder: string): string {
  const bundled = path.join(folder, BUNDLE, 'main.js')
  const isImage = existsSync(path.join(folder, 'manifest.json'))
  const isCurrent = isImage ? existsSync(bundled) : isBundleCurrent(folder)
  return isCurrent ? bundled : path.join(folder, ENTRY)
}

/** Whether the bundle of a checkout was made from the sources that lie beside it. */
export function isBundleCurrent(folder: string): boolean {
  try {
    const stamp = readFileSync(path.join(folder, BUNDLE, BUNDLE_STAMP), 'utf8')
    return JSON.parse(stamp).hash === sourceHash(BUNDLE_SOURCES, folder)
  } catch {
    return false
  }
}
