import { readdirSync, readFileSync, statSync } from 'node:fs'
import path from 'node:path'
import type { ImageFile } from './write-image.ts'

type Entry = {
  link?: boolean
  resolved?: string
  dependencies?: Record<string, string>
  optionalDependencies?: Record<string, string>
}
type Lock = Record<string, Entry>

/** What the player needs to run, by the lock file: its own source, its packages, and theirs. */
export function playerFiles(version: string, withNode: boolean): ImageFile[] {
  const lock: Lock = JSON.parse(readFileSync('package-lock.json', 'utf8')).packages
  const start = ['apps/player', ...(withNode ? [`node_modules/node-linux-${process.arch}`] : [])]
  const files: ImageFile[] = []
  for (const folder of needed(lock, start)) {
    const { link, resolved } = lock[folder] ?? {}
    if (link && resolved) files.push(linkTo(folder, resolved))
    else files.push(...filesOf(folder))
  }
  files.push(...filesOf('apps/player-web/dist'))
  for (const name of ['package.json', 'LICENSE']) files.push(fileAt(name))
  return files.map((file) => (file.path === MANIFEST ? withVersion(version) : file))
}

const MANIFEST = 'apps/player/package.json'

function withVersion(version: string): ImageFile {
  const manifest = { ...JSON.parse(readFileSync(MANIFEST, 'utf8')), version }
  const content = () => Buffer.from(`${JSON.stringify(manifest, null, 2)}\n`)
  return { type: 'file', path: MANIFEST, content, executable: false }
}

/** Folders of the lock file that these lead to. What is optional may be missing on this machine. */
function needed(lock: Lock, start: string[]): string[] {
  const found = new Set<string>()
  const open = [...start]
  for (let folder = open.pop(); folder !== undefined; folder = open.pop()) {
    const entry = lock[folder]
    if (!entry || found.has(folder) || !statSync(folder, { throwIfNoEntry: false })) continue
    found.add(folder)
    if (entry.link && entry.resolved) open.push(entry.resolved)
    for (const name of Object.keys({ ...entry.dependencies, ...entry.optionalDependencies })) {
      open.push(resolve(lock, folder, name))
    }
  }
  return [...found].sort()
}

/** Where Node finds a package from a folder: the nearest node_modules on the way up. */
function resolve(lock: Lock, from: string, name: string): string {
  for (let folder = from; folder !== '.'; folder = path.dirname(folder)) {
    if (path.basename(folder) === 'node_modules') continue
    const candidate = `${folder}/node_modules/${name}`
    if (lock[candidate]) return candidate
  }
  return `node_modules/${name}`
}

// Never read at run time; a third of the files of a package.
const NOT_NEEDED = /\.(map|md|markdown|flow)$|\.d\.[cm]?ts$|\.(test|contract)\.ts$/i

function filesOf(folder: string): ImageFile[] {
  const isOwn = !folder.startsWith('node_modules/')
  return readdirSync(folder, { withFileTypes: true })
    .sort((left, right) => (left.name < right.name ? -1 : 1))
    .flatMap((entry): ImageFile[] => {
      const file = `${folder}/${entry.name}`
      if (entry.isFile()) return NOT_NEEDED.test(entry.name) ? [] : [fileAt(file)]
      const isLeftOut = entry.name === 'node_modules' || (isOwn && entry.name === 'testing')
      return entry.isDirectory() && !isLeftOut ? filesOf(file) : []
    })
}

const fileAt = (file: string): ImageFile => ({
  type: 'file',
  path: file,
  content: () => readFileSync(file),
  executable: (statSync(file).mode & 0o100) !== 0,
})

const linkTo = (from: string, to: string): ImageFile => ({
  type: 'link',
  path: from,
  target: path.relative(path.dirname(from), to),
})
