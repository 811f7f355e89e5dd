import { existsSync, readFileSync } from 'node:fs'

/** Every file that the map in docs/architecture.md names must be there. */
const FOLDERS: Record<string, string> = { soc: 'apps/soc/src/', player: 'apps/player/src/' }
const text = readFileSync('docs/architecture.md', 'utf8')
const map = /## The map\n([\s\S]*?)\n## /.exec(text)?.[1] ?? ''

const named = [...map.matchAll(/`((?:soc|player|packages)\/[^`]+)`/g)].map(([, name = '']) => name)
const missing = named.filter((name) => {
  const [first = '', ...rest] = name.split('/')
  return !existsSync(first in FOLDERS ? FOLDERS[first] + rest.join('/') : name)
})
for (const name of missing) process.stdout.write(`not there: ${name}\n`)
process.stdout.write(`${named.length} places in the map\n`)
process.exitCode = named.length > 0 && missing.length === 0 ? 0 : 1
