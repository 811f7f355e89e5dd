import { readFileSync } from 'node:fs'
import path from 'node:path'
import { sourceHash } from './source-hash.ts'

export type Bundled = 'player' | 'soc'

export const BUNDLE_STAMP = '.built-from.json'

/** Where a server lies in few files, as `scripts/server.ts` makes it: it starts sooner and takes less memory. */
export const bundleOf = (service: Bundled) => `apps/${service}/dist`

/** What the bundle is made from, in a checkout. */
export const sourcesOf = (service: Bundled) => [
  `apps/${service}/src`,
  'packages',
  'scripts/server.ts',
  'scripts/server',
  'package-lock.json',
]

/** Whether the bundle of a checkout was made from the sources that lie beside it. */
export function isBundleCurrent(service: Bundled, folder: string): boolean {
  try {
    const stamp = readFileSync(path.join(folder, bundleOf(service), BUNDLE_STAMP), 'utf8')
    return JSON.parse(stamp).hash === sourceHash(sourcesOf(service), folder)
  } catch {
    return false
  }
}
