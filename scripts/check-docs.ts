import { existsSync, globSync, readFileSync } from 'node:fs'
import path from 'node:path'

/**
 * What the docs name must be there: the files of the map in docs/architecture.md, what links lead to,
 * and npm scripts. The README names every setting, and no other.
 */
const FOLDERS: Record<string, string> = { soc: 'apps/soc/src/', player: 'apps/player/src/' }
const SETTINGS = ['apps/player/src/config.ts', 'apps/soc/src/settings.ts']
/** Nobody sets it: the launcher says by it which version it has started. */
const INWARD = ['PLAYER_SLOT']

const read = (file: string) => readFileSync(file, 'utf8')
const all = (text: string, pattern: RegExp) =>
  [...text.matchAll(pattern)].map(([, one = '']) => one)

const pages = globSync(['*.md', 'docs/**/*.md'])
const { scripts } = JSON.parse(read('package.json')) as { scripts: Record<string, string> }
const faults = [...missingPlaces(), ...pages.flatMap(faultsOf), ...faultsOfSettings()]
for (const fault of faults) process.stdout.write(`${fault}\n`)
process.stdout.write(`${pages.length} pages\n`)
process.exitCode = faults.length === 0 ? 0 : 1

function missingPlaces(): string[] {
  const map = /## The map\n([\s\S]*?)\n## /.exec(read('docs/architecture.md'))?.[1] ?? ''
  const named = all(map, /`((?:soc|player|packages)\/[^`]+)`/g)
  if (named.length === 0) return ['docs/architecture.md: the map names nothing']
  return named
    .filter((name) => !existsSync(name.replace(/^(soc|player)\//, (_, app) => `${FOLDERS[app]}`)))
    .map((name) => `docs/architecture.md: not there: ${name}`)
}

function faultsOf(page: string): string[] {
  const text = read(page)
  const links = all(text.replaceAll(/```[\s\S]*?```/g, ''), /(?:\]\(|src=")([^)"\s]+)[)"]/g)
  return [
    ...links.filter((link) => !leadsSomewhere(page, link)).map((link) => `leads nowhere: ${link}`),
    ...all(text, /npm run (?:-s )?([\w:-]+)/g)
      .filter((name) => !(name in scripts))
      .map((name) => `no such script: ${name}`),
  ].map((fault) => `${page}: ${fault}`)
}

function leadsSomewhere(page: string, link: string): boolean {
  if (/^[a-z]+:/.test(link)) return true
  const [file = '', heading] = link.split('#')
  const target = file ? path.join(path.dirname(page), file) : page
  if (!existsSync(target)) return false
  return (
    heading === undefined ||
    all(read(target), /^#+ (.*)$/gm)
      .map(anchorOf)
      .includes(heading)
  )
}

/** As GitHub names the heading. */
function anchorOf(heading: string): string {
  const letters = heading.toLowerCase().replaceAll(/[^\p{L}\p{N}_ -]/gu, '')
  return letters.replaceAll(' ', '-')
}

/** Of those in one row that begin alike only the first is written out. */
function faultsOfSettings(): string[] {
  const known = SETTINGS.flatMap((file) => all(read(file), /^ +([A-Z]+(?:_[A-Z]+)+): \w+\(/gm))
  const named = all(read('README.md'), /^\|([^|]+)\|/gm).flatMap((cell) => {
    const names = all(cell, /`(\w+)`/g)
    return names.map((name) => [name, ...names])
  })
  const isNamed = (setting: string) =>
    named.some(
      ([name = '', ...others]) =>
        name === setting ||
        (name.startsWith('_') &&
          setting.endsWith(name) &&
          others.some((other) => other.startsWith(setting.slice(0, -name.length)))),
    )
  const unknown = named
    .map(([name = '']) => name)
    .filter((name) => /^[A-Z]+(_[A-Z]+)+$/.test(name) && !known.includes(name))
  return [
    ...known.filter((one) => !isNamed(one) && !INWARD.includes(one)).map((one) => `lacks ${one}`),
    ...unknown.map((name) => `no such setting: ${name}`),
  ].map((fault) => `README.md: ${fault}`)
}
