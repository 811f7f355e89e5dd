import { SigmaError } from './sigma-error.ts'

export type WideEncoding = 'utf16le' | 'utf16be' | 'utf16'

export const bytesOf = (text: string, encoding: WideEncoding | undefined): Buffer => {
  if (encoding === undefined) return Buffer.from(text, 'utf8')
  const littleEndian = Buffer.from(text, 'utf16le')
  if (encoding === 'utf16le') return littleEndian
  if (encoding === 'utf16be') return littleEndian.swap16()
  return Buffer.concat([Buffer.from([0xff, 0xfe]), littleEndian])
}

/**
 * The three texts that can stand for these bytes inside a longer base64 text, one for each place
 * the bytes may begin in a group of three. Characters that neighbouring bytes decide are cut off.
 */
export const base64Offsets = (bytes: Buffer): string[] => {
  if (bytes.length < 2) throw new SigmaError('base64offset needs at least two bytes')
  return [0, 1, 2].map((offset) => {
    const encoded = Buffer.concat([Buffer.alloc(offset, 0x20), bytes]).toString('base64')
    const first = [0, 2, 3][offset] ?? 0
    const end = { 0: 0, 1: -3, 2: -2 }[(bytes.length + offset) % 3] ?? 0
    return encoded.slice(first, end === 0 ? undefined : end)
  })
}
