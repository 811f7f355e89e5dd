/** The tar format (POSIX ustar): blocks of 512 bytes, a header before the bytes of each entry. */
export const BLOCK = 512

export type TarHeader = {
  name: string
  /** `0` is a file, `2` a link, `L` and `x` carry the long name of the entry after them. */
  type: string
  size: number
  mode: number
  /** Where a link leads; empty otherwise. */
  target: string
}

/** What follows so many bytes up to the next block. */
export const padding = (size: number) => (BLOCK - (size % BLOCK)) % BLOCK

/** Undefined for the empty block that ends an archive. Throws when the header's sum is wrong. */
export function readTarHeader(header: Buffer): TarHeader | undefined {
  if (header.every((byte) => byte === 0)) return undefined
  const size = octal(header, 124, 12)
  const isSize = Number.isSafeInteger(size) && size >= 0
  if (octal(header, 148, 8) !== checksum(header) || !isSize) {
    throw new Error('the archive is damaged')
  }
  const prefix = text(header, 257, 5) === 'ustar' ? text(header, 345, 155) : ''
  const name = text(header, 0, 100)
  return {
    name: prefix ? `${prefix}/${name}` : name,
    type: text(header, 156, 1) || '0',
    size,
    mode: octal(header, 100, 8),
    target: text(header, 157, 100),
  }
}

/** Throws when a name is too long for the format. No clock and no owner go in. */
export function writeTarHeader({ name, type, size, mode, target }: TarHeader): Buffer {
  const header = Buffer.alloc(BLOCK)
  const number = (value: number, at: number, digits: number) =>
    header.write(`${value.toString(8).padStart(digits, '0')}\0`, at, 'latin1')
  const split = splitName(name)
  header.write(split.name, 0)
  number(mode, 100, 7)
  number(0, 108, 7)
  number(0, 116, 7)
  number(size, 124, 11)
  number(0, 136, 11)
  header.write(type, 156)
  header.write(fitting(target, 100), 157)
  header.write('ustar\0' + '00', 257, 'latin1')
  header.write(split.prefix, 345)
  header.write(`${checksum(header).toString(8).padStart(6, '0')}\0 `, 148, 'latin1')
  return header
}

/**
 * The files of an archive in memory, also under the long names of GNU tar and of pax. Throws when
 * it is damaged or cut short.
 */
export function* filesInTar(archive: Buffer): Generator<{ name: string; bytes: Buffer }> {
  let longName: string | undefined
  for (let at = 0; at + BLOCK <= archive.length; ) {
    const header = readTarHeader(archive.subarray(at, at + BLOCK))
    if (!header) return
    const { size, type } = header
    const bytes = archive.subarray(at + BLOCK, at + BLOCK + size)
    if (bytes.length !== size) throw new Error('the archive ends too early')
    at += BLOCK + size + padding(size)

    if (type === 'L') longName = text(bytes, 0, size)
    if (type === 'x') longName = paxPath(bytes) ?? longName
    if (type === 'L' || type === 'x') continue
    const name = longName ?? header.name
    longName = undefined
    if (type === '0') yield { name, bytes }
  }
}

/** Records are `<length> key=value\n`. */
function paxPath(bytes: Buffer): string | undefined {
  return /(?:^|\n)\d+ path=([^\n]*)\n/.exec(bytes.toString('utf8'))?.[1]
}

/** The sum of the header's bytes, its own field read as blanks. */
function checksum(header: Buffer): number {
  let sum = 0
  for (const [index, byte] of header.entries()) sum += index >= 148 && index < 156 ? 32 : byte
  return sum
}

function text(bytes: Buffer, start: number, length: number): string {
  const end = bytes.indexOf(0, start)
  const limit = start + length
  return bytes.toString('utf8', start, end === -1 || end > limit ? limit : end)
}

const octal = (bytes: Buffer, start: number, length: number) =>
  Number.parseInt(text(bytes, start, length).trim() || '0', 8)

/** A name holds 100 bytes; what is before one of its slashes may go to the prefix of 155. */
function splitName(path: string): { name: string; prefix: string } {
  if (Buffer.byteLength(path) <= 100) return { name: path, prefix: '' }
  for (let slash = path.indexOf('/'); slash > 0; slash = path.indexOf('/', slash + 1)) {
    const name = path.slice(slash + 1)
    if (Buffer.byteLength(name) > 100) continue
    return { name, prefix: fitting(path.slice(0, slash), 155) }
  }
  throw tooLong(path)
}

function fitting(name: string, most: number): string {
  if (Buffer.byteLength(name) > most) throw tooLong(name)
  return name
}

const tooLong = (path: string) => new Error(`the path is too long for an archive: ${path}`)
