import { existsSync } from 'node:fs'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { treeDigest } from '@manara/kit/tree-digest'

/** The folder that the running version lies in: a slot, what the box was set up with, or a checkout. */
export const versionRoot = () => fileURLToPath(new URL('../../../../../', import.meta.url))

/** What an image brings; a checkout has much beside it that never runs. */
const OF_CHECKOUT = ['apps/player/src', 'apps/player/dist', 'packages']

/**
 * Measured from the disk each time it is asked for: a file that was changed since the start shows. The
 * manifest is of the image and not in it, so it does not count.
 */
export async function measureVersion(root: string): Promise<string> {
  const isImage = existsSync(path.join(root, 'manifest.json'))
  const tops = isImage ? ['apps', 'packages', 'node_modules'] : OF_CHECKOUT
  return treeDigest(
    root,
    tops.filter((top) => existsSync(path.join(root, top))),
  )
}
