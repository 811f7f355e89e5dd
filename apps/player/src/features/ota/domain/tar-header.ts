/** The part of the tar format (POSIX ustar) that an image is made of: files and links, no owners. */
export const BLOCK = 512

export type TarEntry =
  | { type: 'file'; path: string; size: number; executable: boolean }
  | { type: 'link'; path: string; target: string }

export function encodeTarHeader(entry: TarEntry): Buffer {
  const header = Buffer.alloc(BLOCK)
  const { name, prefix } = splitPath(entry.path)
  const octal = (value: number, at: number, digits: number) =>
    header.write(`${value.toString(8).padStart(digits, '0')}\0`, at, 'latin1')
  header.write(name, 0)
  octal(entry.type === 'file' && entry.executable ? 0o755 : 0o644, 100, 7)
  octal(0, 108, 7)
  octal(0, 116, 7)
  octal(entry.type === 'file' ? entry.size : 0, 124, 11)
  // The same files give the same image: no clock goes in.
  octal(0, 136, 11)
  header.write(entry.type === 'file' ? '0' : '2', 156)
  if (entry.type === 'link') header.write(fitting(entry.target, 100), 157)
  header.write('ustar\0' + '00', 257, 'latin1')
  header.write(prefix, 345)
  header.write(`${checksum(header).toString(8).padStart(6, '0')}\0 `, 148, 'latin1')
  return header
}

/** Undefined for the empty block that ends an archive. Throws on what no image contains. */
export function decodeTarHeader(header: Buffer): TarEntry | undefined {
  if (header.every((byte) => byte === 0)) return undefined
  if (Number.parseInt(header.toString('latin1', 148, 155), 8) !== checksum(header)) {
    throw new Error('the archive is damaged')
  }
  const text = (from: number, to: number) => header.toString('utf8', from, to).replace(/\0.*$/s, '')
  const prefix = text(345, 500)
  const path = inside(prefix ? `${prefix}/${text(0, 100)}` : text(0, 100))
  const type = header.toString('latin1', 156, 157)
  if (type === '2') return { type: 'link', path, target: insideFrom(path, text(157, 257)) }
  if (type !== '0') throw new Error(`the archive holds something that is no file: ${path}`)
  const size = Number.parseInt(header.toString('latin1', 124, 135), 8)
  const mode = Number.parseInt(header.toString('latin1', 100, 107), 8)
  return { type: 'file', path, size, executable: (mode & 0o100) !== 0 }
}

export const padding = (size: number) => (BLOCK - (size % BLOCK)) % BLOCK

/** Written and read alike: a signed image that leaves its folder was signed by mistake. */
function inside(path: string): string {
  const steps = path.split('/')
  if (path === '' || steps.some((step) => step === '' || step === '.' || step === '..')) {
    throw new Error(`the archive leaves its folder: ${JSON.stringify(path)}`)
  }
  return path
}

function insideFrom(path: string, target: string): string {
  let depth = path.split('/').length - 1
  for (const step of target.split('/')) {
    depth += step === '..' ? -1 : 1
    if (depth < 0 || step === '') throw new Error(`a link leaves its folder: ${path}`)
  }
  return target
}

function checksum(header: Buffer): number {
  let sum = 0
  for (const [index, byte] of header.entries()) sum += index >= 148 && index < 156 ? 32 : byte
  return sum
}

/** A name holds 100 bytes; what is before one of its slashes may go to the prefix of 155. */
function splitPath(path: string): { name: string; prefix: string } {
  inside(path)
  if (Buffer.byteLength(path) <= 100) return { name: path, prefix: '' }
  for (let slash = path.indexOf('/'); slash > 0; slash = path.indexOf('/', slash + 1)) {
    const name = path.slice(slash + 1)
    if (Buffer.byteLength(name) > 100) continue
    return { name, prefix: fitting(path.slice(0, slash), 155) }
  }
  throw new Error(`the path is too long for an image: ${path}`)
}

function fitting(text: string, most: number): string {
  if (Buffer.byteLength(text) > most) throw new Error(`the path is too long for an image: ${text}`)
  return text
}
