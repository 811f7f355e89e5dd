import { readFileSync } from 'node:fs'
import path from 'node:path'
import type { Plugin } from 'esbuild'

/** Where the bundle lies when it runs: everything else is said from there. */
const HOME = path.resolve('apps/player/dist')
const BESIDE = /new URL\('(\.[^']*)', import\.meta\.url\)/g

/**
 * Files beside a module are found from the bundle too: a worker thread is the entry of its name, the
 * rest stays where it lies in the checkout or the image. The version is read from the manifest, which
 * an image has of its own.
 */
export const keepPlaces = (): Plugin => ({
  name: 'places',
  setup(build) {
    build.onLoad({ filter: /\.ts$/ }, ({ path: file }) => {
      if (file.includes('/node_modules/')) return
      const folder = path.dirname(file)
      const contents = readFileSync(file, 'utf8').replace(
        BESIDE,
        (_all, beside: string) => `new URL('${fromHome(folder, beside)}', import.meta.url)`,
      )
      return { contents: escaped(contents), loader: 'ts' }
    })

    build.onLoad({ filter: /\/node_modules\/.*\.c?js$/ }, ({ path: file }) => {
      const contents = readFileSync(file, 'utf8')
      if (!/\b__dirname\b/.test(contents)) return
      const folder = JSON.stringify(`/${path.relative(HOME, path.dirname(file))}`)
      return { contents: `var __dirname=__here+${folder};${contents}`, loader: 'js' }
    })

    build.onResolve({ filter: /\/package\.json$/ }, ({ path: wanted, resolveDir }) => {
      const file = path.resolve(resolveDir, wanted)
      if (file !== path.resolve('apps/player/package.json')) return
      return { path: path.relative(HOME, file), external: true }
    })
  },
})

function fromHome(folder: string, beside: string): string {
  const wanted = path.resolve(folder, beside)
  if (wanted.endsWith('-worker.ts')) return `./${path.basename(wanted, '.ts')}.js`
  if (wanted.endsWith('.ts')) throw new Error(`${wanted} is no worker thread: it would be left out`)
  return path.relative(HOME, wanted) + (beside.endsWith('/') ? '/' : '')
}

/** One letter outside Latin in a regular expression makes the whole file twice as large in memory. */
const escaped = (source: string) =>
  source.replace(
    /[^\0-\x7f]/g,
    (letter) => `\\u${letter.charCodeAt(0).toString(16).padStart(4, '0')}`,
  )
