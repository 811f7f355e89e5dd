import {
  copyFileSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import path from 'node:path'
import { build, type Metafile, type Plugin } from 'esbuild'
import type { WebApp } from './apps.ts'
import { cutFonts, fontLicences } from './fonts.ts'

export type Bundle = {
  /** Files that the browser loads before anything is shown, fonts left out. */
  first: string[]
  fonts: string[]
}

/** Writes everything a browser asks for into the folder, named by content. */
export async function bundle(app: WebApp, out: string): Promise<Bundle> {
  mkdirSync(out, { recursive: true })
  const source = path.join(app.folder, 'src')
  const entry = path.join(source, 'main.tsx')
  const target = ['es2022', ...Object.entries(app.browsers).map((one) => one.join(''))]
  const common = {
    bundle: true,
    format: 'esm',
    minify: true,
    target,
    outdir: out,
    logLevel: 'warning',
    legalComments: 'none',
  } as const
  const { metafile } = await build({
    ...common,
    entryPoints: [{ in: entry, out: 'main' }],
    splitting: true,
    metafile: true,
    entryNames: '[name]-[hash]',
    chunkNames: 'part-[hash]',
    assetNames: '[name]-[hash]',
    loader: { '.woff2': 'file' },
    jsx: 'automatic',
    jsxImportSource: 'preact',
    plugins: [ownFonts(await cutFonts()), oneFirstScript(path.resolve(entry))],
  })
  const main = Object.entries(metafile.outputs).find(([, one]) => one.entryPoint === entry)
  if (!main?.[1].cssBundle) throw new Error(`${entry} gave no script or no style`)
  const style = path.basename(main[1].cssBundle)
  const parts = main[1].imports
    .filter(({ kind }) => kind === 'import-statement')
    .map((one) => path.basename(one.path))
  const script = nameFirstScript(out, path.basename(main[0]), parts)
  const fonts = readdirSync(out).filter((name) => name.endsWith('.woff2'))
  const opener = path.join(source, 'opening.ts')
  const opening = existsSync(opener) ? await small(opener) : undefined

  for (const name of readdirSync(path.join(app.folder, 'public'))) {
    copyFileSync(path.join(app.folder, 'public', name), path.join(out, name))
  }
  writeFileSync(path.join(out, 'licences.txt'), fontLicences())
  const names = { script, style, fonts, opening }
  writeFileSync(path.join(out, 'index.html'), page(app, names))
  for (const [name, wanted] of partsOfPages(metafile)) {
    // The first script, which has another name by now, is asked for anyway.
    const parts = wanted.filter((part) => existsSync(path.join(out, part)))
    writeFileSync(path.join(out, `page-${name}.html`), page(app, { ...names, parts }))
  }
  const worker = path.join(source, 'sw.ts')
  if (existsSync(worker)) {
    const offline = readdirSync(out).filter((name) => !/^licences|\.html$/.test(name))
    await build({
      ...common,
      // Not every browser takes a worker that is a module.
      format: 'iife',
      entryPoints: [worker],
      define: { FILES: JSON.stringify(['', ...offline].map((name) => `/${name}`)) },
    })
  }
  return {
    first: ['index.html', script, style, ...(opening ? [opening] : [])],
    fonts,
  }

  /** A script of its own, which comes before and without all others. */
  async function small(file: string): Promise<string> {
    const { metafile } = await build({
      ...common,
      format: 'iife',
      entryPoints: [file],
      entryNames: '[name]-[hash]',
      metafile: true,
    })
    return path.basename(Object.keys(metafile.outputs)[0] ?? '')
  }
}

/** `url('font:NAME')` in a style sheet is the font that was cut under this name. */
const ownFonts = (files: Map<string, string>): Plugin => ({
  name: 'fonts',
  setup(build) {
    build.onResolve({ filter: /^font:/ }, ({ path: wanted }) => {
      const file = files.get(wanted.slice('font:'.length))
      return file ? { path: file } : { errors: [{ text: `no font is called ${wanted}` }] }
    })
    // The name without the hash of the cache: what is served is named by its own content.
    build.initialOptions.assetNames = '[name]-[hash]'
  },
})

/**
 * What the first view shares with one later part or another would be a part for each such company,
 * and a browser asks for six files at a time. So each later part needs the whole of the first
 * script, which is loaded by then, and what that consists of stays in one file.
 */
const oneFirstScript = (entry: string): Plugin => ({
  name: 'one first script',
  setup(build) {
    const namespace = 'later'
    build.onResolve({ filter: /^/ }, async ({ path: wanted, kind, pluginData, ...from }) => {
      if (kind !== 'dynamic-import' || pluginData === namespace) return undefined
      const found = await build.resolve(wanted, { ...from, kind, pluginData: namespace })
      return found.errors.length > 0 ? found : { path: found.path, namespace }
    })
    build.onLoad({ filter: /^/, namespace }, ({ path: file }) => ({
      contents: [`import ${JSON.stringify(entry)}`, `export * from ${JSON.stringify(file)}`].join(
        '\n',
      ),
      resolveDir: path.dirname(file),
    }))
  },
})

/** What the entry is left with is the import of the part that has it all: that takes its place. */
function nameFirstScript(out: string, entry: string, parts: string[]): string {
  const [part] = parts
  if (!part || parts.length > 1) throw new Error(`the first script is in ${parts.length} parts`)
  const script = part.replace('part-', 'main-')
  rmSync(path.join(out, entry))
  for (const name of readdirSync(out).filter((one) => one.endsWith('.js'))) {
    const file = path.join(out, name)
    const text = readFileSync(file, 'utf8').replaceAll(part, script)
    rmSync(file)
    writeFileSync(path.join(out, name === part ? script : name), text)
  }
  return script
}

/** What `pages/NAME/NAME.tsx` is made of, to be asked for with the page where an address leads there. */
function partsOfPages({ outputs }: Metafile): Map<string, string[]> {
  const pages = new Map<string, string[]>()
  for (const [file, { entryPoint, imports }] of Object.entries(outputs)) {
    const [, name] = /\/pages\/([\w-]+)\/\1\.tsx$/.exec(entryPoint ?? '') ?? []
    if (name)
      pages.set(
        name,
        [file, ...imports.map((one) => one.path)].map((one) => path.basename(one)),
      )
  }
  return pages
}

/** What is seen until the scripts are here. In both languages: which one is known to them alone. */
const OPENING = `<div class="opening" role="status"><p>Opening… <a href="">Try again</a></p><p lang="ar" dir="rtl">تُفتح الصفحة… <a href="">حاول مجددًا</a></p></div>`

type Names = {
  script: string
  style: string
  fonts: string[]
  opening: string | undefined
  parts?: string[]
}

function page(app: WebApp, { script, style, fonts, opening, parts = [] }: Names): string {
  const early = fonts.filter((name) => app.firstFonts.some((start) => name.startsWith(start)))
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<title>${app.title}</title>
<meta name="viewport" content="width=device-width, initial-scale=1, viewport-fit=cover">
<meta name="color-scheme" content="light dark">
<meta name="theme-color" content="#f8f7f2" media="(prefers-color-scheme: light)">
<meta name="theme-color" content="#0b1416" media="(prefers-color-scheme: dark)">
<link rel="icon" href="/icon.svg" type="image/svg+xml">
${app.isInstalled ? '<link rel="apple-touch-icon" href="/icon-192.png">\n<link rel="manifest" href="/manifest.webmanifest">' : ''}
${opening ? `<script async src="/${opening}"></script>` : ''}
<link rel="stylesheet" href="/${style}">
<script type="module" src="/${script}"></script>
${early.map((name) => `<link rel="preload" href="/${name}" as="font" type="font/woff2" crossorigin>`).join('\n')}
${parts.map((name) => `<link rel="modulepreload" href="/${name}">`).join('\n')}
</head>
<body><div id="app">${opening ? OPENING : ''}</div><noscript>${app.noScript}</noscript></body>
</html>
`
}
