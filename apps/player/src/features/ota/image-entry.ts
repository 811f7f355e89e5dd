import { readTarHeader, writeTarHeader } from '@manara/kit/tar'

/** What an image is made of: files and links. */
export type ImageEntry =
  | { type: 'file'; path: string; size: number; executable: boolean }
  | { type: 'link'; path: string; target: string }

/** The tar header of an entry. The same files give the same image. */
export function encodeEntry(entry: ImageEntry): Buffer {
  const name = inside(entry.path)
  return entry.type === 'link'
    ? writeTarHeader({ name, type: '2', size: 0, mode: 0o644, target: entry.target })
    : writeTarHeader({
        ...{ name, type: '0', size: entry.size, target: '' },
        mode: entry.executable ? 0o755 : 0o644,
      })
}

/** Undefined for the empty block that ends an archive. Throws on what no image contains. */
export function decodeEntry(block: Buffer): ImageEntry | undefined {
  const header = readTarHeader(block)
  if (!header) return undefined
  const { type, size, mode, target } = header
  const path = inside(header.name)
  if (type === '2') return { type: 'link', path, target: insideFrom(path, target) }
  if (type !== '0') throw new Error(`the archive holds something that is no file: ${path}`)
  return { type: 'file', path, size, executable: (mode & 0o100) !== 0 }
}

/** Written and read alike: a signed image that leaves its folder was signed by mistake. */
function inside(path: string): string {
  const steps = path.split('/')
  if (path === '' || steps.some((step) => step === '' || step === '.' || step === '..')) {
    throw new Error(`the archive leaves its folder: ${JSON.stringify(path)}`)
  }
  return path
}

/** Up and then down: what goes up from a name goes up from wherever that may lead. */
function insideFrom(path: string, target: string): string {
  const steps = target.split('/')
  const up = steps.findIndex((step) => step !== '..')
  const down = up < 0 ? [] : steps.slice(up)
  const depth = path.split('/').length - 1
  const climbs = steps.length - down.length > depth
  if (climbs || down.some((step) => step === '' || step === '.' || step === '..')) {
    throw new Error(`a link leaves its folder: ${path}`)
  }
  return target
}
