import { mkdirSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import {
  BUNDLE_STAMP,
  type Bundled,
  bundleOf,
  isBundleCurrent,
  sourcesOf,
} from '@manara/kit/bundle'
import { sourceHash } from '@manara/kit/source-hash'

/**
 * `node scripts/server.ts player` or `soc`: bundles that server into its `dist`, unless what is there
 * was made from the same sources, and prints the file to start it by. That is the one in the sources
 * where nothing can be written.
 */
export async function ensureServer(service: Bundled): Promise<string> {
  const bundled = path.join(bundleOf(service), 'main.js')
  if (isBundleCurrent(service, '.')) return bundled
  try {
    await buildServer(service)
    return bundled
  } catch (error) {
    process.stderr.write(`${service}: runs from its sources: ${(error as Error).message}\n`)
    return `apps/${service}/src/main.ts`
  }
}

/** Throws when it cannot be built or written. */
export async function buildServer(service: Bundled): Promise<void> {
  const hash = sourceHash(sourcesOf(service))
  const place = bundleOf(service)
  // Beside its place and then renamed: who starts meanwhile gets one or the other, never half.
  const fresh = `${place}.${process.pid}`
  try {
    mkdirSync(fresh)
    const { bundleServer } = await import('./server/bundle-server.ts')
    await bundleServer(service, fresh)
    writeFileSync(path.join(fresh, BUNDLE_STAMP), JSON.stringify({ hash }))
    rmSync(place, { recursive: true, force: true })
    renameSync(fresh, place)
  } finally {
    rmSync(fresh, { recursive: true, force: true })
  }
}

if (import.meta.main) {
  const [service] = process.argv.slice(2)
  if (service !== 'player' && service !== 'soc') {
    process.stderr.write('say which server: player or soc\n')
    process.exit(2)
  }
  process.stdout.write(`${await ensureServer(service)}\n`)
}
