import { globSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { type Bundled, bundleOf } from '@manara/kit/bundle'
import type { Plugin } from 'esbuild'

const BESIDE = /new URL\(\s*'(\.[^']*)',\s*import\.meta\.url,?\s*\)/g

/** Worker threads, and what they load when they are told where it lies: each is a file of its own. */
export function modulesByPlace(service: Bundled): string[] {
  const files = globSync(`apps/${service}/src/**/*.ts`, {
    exclude: (name) => name === 'testing' || name.endsWith('.test.ts'),
  })
  const named = files.flatMap((file) =>
    [...readFileSync(file, 'utf8').matchAll(BESIDE)].map(([, beside = '']) =>
      path.join(path.dirname(file), beside),
    ),
  )
  return [...new Set(named.filter((file) => file.endsWith('.ts')))].toSorted()
}

/**
 * Files beside a module are found from the bundle too: a module that is named by its place is the
 * entry of its name, the rest stays where it lies in the checkout or the image. The version is read
 * from the manifest, which an image has of its own.
 */
export function keepPlaces(service: Bundled): Plugin {
  // Where the bundle lies when it runs: everything else is said from there.
  const home = path.resolve(bundleOf(service))
  const manifest = path.resolve(`apps/${service}/package.json`)

  function fromHome(folder: string, beside: string): string {
    const wanted = path.resolve(folder, beside)
    if (wanted.endsWith('.ts')) return `./${path.basename(wanted, '.ts')}.js`
    return path.relative(home, wanted) + (beside.endsWith('/') ? '/' : '')
  }

  return {
    name: 'places',
    setup(build) {
      build.onLoad({ filter: /\.ts$/ }, ({ path: file }) => {
        if (file.includes('/node_modules/')) return
        const folder = path.dirname(file)
        const source = readFileSync(file, 'utf8')
        if (/import\.meta\.(dirname|filename)/.test(source)) {
          throw new Error(`${file}: say new URL('…', import.meta.url): all else lies elsewhere`)
        }
        const contents = source.replace(
          BESIDE,
          (_all, beside: string) => `new URL('${fromHome(folder, beside)}', import.meta.url)`,
        )
        return { contents: escaped(contents), loader: 'ts' }
      })

      build.onLoad({ filter: /\/node_modules\/.*\.c?js$/ }, ({ path: file }) => {
        const contents = readFileSync(file, 'utf8')
        if (!/\b__dirname\b/.test(contents)) return
        const folder = JSON.stringify(`/${path.relative(home, path.dirname(file))}`)
        return { contents: `var __dirname=__here+${folder};${contents}`, loader: 'js' }
      })

      build.onResolve({ filter: /\/package\.json$/ }, ({ path: wanted, resolveDir }) => {
        const file = path.resolve(resolveDir, wanted)
        if (file !== manifest) return
        return { path: path.relative(home, file), external: true }
      })
    },
  }
}

/** One letter outside Latin in a regular expression makes the whole file twice as large in memory. */
const escaped = (source: string) =>
  source.replace(
    /[^\0-\x7f]/g,
    (letter) => `\\u${letter.charCodeAt(0).toString(16).padStart(4, '0')}`,
  )
