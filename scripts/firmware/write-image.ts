import { createHash, type KeyObject } from 'node:crypto'
import { createReadStream, createWriteStream } from 'node:fs'
import { open, rm } from 'node:fs/promises'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { constants, createZstdCompress } from 'node:zlib'
import { Manifest } from '@manara/player-contract/firmware'
import { encodeHeader } from '../../apps/player/src/features/ota/domain/image-header.ts'
import { encodeEntry } from '../../apps/player/src/features/ota/image-entry.ts'
import { BLOCK, padding } from '../../packages/kit/src/tar.ts'

export type ImageFile =
  | { type: 'file'; path: string; content: () => Buffer; executable: boolean }
  | { type: 'link'; path: string; target: string }

/** The archive goes to a file beside the image first: its digest comes before it in the image. */
export async function writeImage(
  out: string,
  files: ImageFile[],
  key: KeyObject,
  about: Omit<Manifest, 'size' | 'sha256' | 'unpacked_size'>,
): Promise<Manifest> {
  const archive = `${out}.tar.zst`
  const total = { unpacked: 0 }
  const digest = createHash('sha256')
  let size = 0
  const count = async function* (chunks: AsyncIterable<Buffer>) {
    for await (const chunk of chunks) {
      digest.update(chunk)
      size += chunk.length
      yield chunk
    }
  }
  const compress = createZstdCompress({ params: { [constants.ZSTD_c_compressionLevel]: 12 } })
  await pipeline(Readable.from(tar(files, total)), compress, count, createWriteStream(archive))

  const manifest = Manifest.parse({
    ...about,
    size,
    unpacked_size: total.unpacked,
    sha256: digest.digest('hex'),
  })
  const image = await open(out, 'w')
  await image.write(encodeHeader(manifest, key))
  for await (const chunk of createReadStream(archive)) await image.write(chunk)
  await image.sync()
  await image.close()
  await rm(archive)
  return manifest
}

function* tar(files: ImageFile[], total: { unpacked: number }) {
  for (const file of files) {
    if (file.type === 'link') {
      yield encodeEntry(file)
      continue
    }
    const content = file.content()
    total.unpacked += content.length
    yield encodeEntry({ ...file, size: content.length })
    if (content.length > 0) yield content
    yield Buffer.alloc(padding(content.length))
  }
  yield Buffer.alloc(2 * BLOCK)
}
