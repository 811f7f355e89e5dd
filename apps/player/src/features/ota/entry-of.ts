import { existsSync } from 'node:fs'
import path from 'node:path'
import { bundleOf, isBundleCurrent } from '@manara/kit/bundle'
import { ENTRY } from './slots.ts'

/**
 * The file to start a version by. An image was verified whole; in a checkout the bundle may have been
 * left behind by an update of the sources, and then the sources run.
 */
export function entryOf(folder: string): string {
  const bundled = path.join(folder, bundleOf('player'), 'main.js')
  const isImage = existsSync(path.join(folder, 'manifest.json'))
  const isCurrent = isImage ? existsSync(bundled) : isBundleCurrent('player', folder)
  return isCurrent ? bundled : path.join(folder, ENTRY)
}
