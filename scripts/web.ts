import { existsSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { sourceHash } from '@manara/kit/source-hash'
import { WEB_APPS, type WebApp } from './web/apps.ts'

/**
 * `node scripts/web.ts [app…]`: builds the front ends into `apps/<app>/dist`, unless what is there
 * was made from the same sources. `npm start`, the tests and the firmware image come through here;
 * a device has only what was built.
 */
export async function ensureWeb(names: string[] = []): Promise<void> {
  for (const app of WEB_APPS) {
    if (names.length > 0 && !names.includes(app.name)) continue
    const hash = sourceHash(app.sources)
    if (builtFrom(app) !== hash) await buildApp(app, hash)
  }
}

const STAMP = '.built-from.json'

/** The hash of the sources that `dist` was made from, and what it weighs. */
export function readStamp(
  app: WebApp,
): { hash: string; firstView: number; fonts: number; heaviestPart: number } | undefined {
  const file = path.join(app.folder, 'dist', STAMP)
  return existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')) : undefined
}

const builtFrom = (app: WebApp) => readStamp(app)?.hash

async function buildApp(app: WebApp, hash: string) {
  const begun = performance.now()
  const [{ bundle }, { pressAll }, { weigh }, { tooNew }] = await Promise.all([
    import('./web/bundle.ts'),
    import('./web/press.ts'),
    import('./web/budget.ts'),
    import('./web/too-new.ts'),
  ])
  const dist = path.join(app.folder, 'dist')
  // Beside its place and then renamed: who asks meanwhile gets the old page, never half of the new.
  const fresh = `${dist}.${process.pid}`
  try {
    const made = await bundle(app, fresh)
    const newer = readdirSync(fresh)
      .filter((name) => /\.(?:js|css)$/.test(name))
      .flatMap((name) => tooNew(name, readFileSync(path.join(fresh, name), 'utf8'), app.browsers))
    if (newer.length > 0) throw new Error(`${app.name} is too new: ${newer.join('; ')}`)
    const { over, ...weight } = weigh(app, made, pressAll(fresh))
    if (over.length > 0) throw new Error(`${app.name} is over its budget: ${over.join('; ')}`)
    writeFileSync(path.join(fresh, STAMP), JSON.stringify({ hash, ...weight }))
    rmSync(dist, { recursive: true, force: true })
    renameSync(fresh, dist)
    const kilobytes = (bytes: number) => `${(bytes / 1000).toFixed(1)} KB`
    process.stdout.write(
      `${app.name}: first view ${kilobytes(weight.firstView)} (fonts ${kilobytes(weight.fonts)}), ` +
        `heaviest later part ${kilobytes(weight.heaviestPart)}, built in ${Math.round(performance.now() - begun)} ms\n`,
    )
  } finally {
    rmSync(fresh, { recursive: true, force: true })
  }
}

if (import.meta.main) await ensureWeb(process.argv.slice(2))
