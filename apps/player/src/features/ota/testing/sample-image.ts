import { createHash, generateKeyPairSync, type KeyObject } from 'node:crypto'
import { zstdCompressSync } from 'node:zlib'
import { BLOCK, padding } from '@manara/kit/tar'
import { encodeHeader } from '../domain/image-header.ts'
import { encodeEntry } from '../image-entry.ts'
import { ENTRY } from '../slots.ts'

export const updateKey = () => generateKeyPairSync('ed25519')
export const pemOf = (key: KeyObject) => key.export({ type: 'spki', format: 'pem' }) as string

export type SampleOptions = {
  key: KeyObject
  version?: string
  /** Content by path; the entry is there unless it is undefined. */
  files?: Record<string, string | Buffer | undefined>
  links?: Record<string, string>
  /** Bytes after the end block. */
  behind?: number
  /** Put into the manifest before it is signed. */
  manifest?: object
}

/** A small image, made as the builder makes a large one. */
export function sampleImage(options: SampleOptions): Buffer {
  const { key, version = '0.1.0', links = {}, behind = BLOCK } = options
  const files = { [ENTRY]: '', ...options.files }
  const blocks: Buffer[] = []
  let unpacked_size = 1
  for (const [path, text] of Object.entries(files)) {
    if (text === undefined) continue
    const content = Buffer.from(text as string)
    unpacked_size += content.length
    const header = encodeEntry({ type: 'file', path, size: content.length, executable: false })
    blocks.push(header, content, Buffer.alloc(padding(content.length)))
  }
  for (const [path, target] of Object.entries(links)) {
    blocks.push(encodeEntry({ type: 'link', path, target }))
  }
  const archive = zstdCompressSync(Buffer.concat([...blocks, Buffer.alloc(BLOCK + behind)]))
  const manifest = {
    version,
    sha256: createHash('sha256').update(archive).digest('hex'),
    size: archive.length,
    unpacked_size,
    minimum_version: '0.0.0',
    platform: 'any',
    ...options.manifest,
  }
  return Buffer.concat([encodeHeader(manifest, key), archive])
}
