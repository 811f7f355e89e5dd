import type { KeyObject } from 'node:crypto'
import { Manifest } from '@manara/player-contract/firmware'
import { decodeHeader, isSignedBy } from './domain/image-header.ts'

export type Image = {
  manifest: Manifest
  /** The archive, as it arrives. */
  payload(): AsyncGenerator<Buffer>
}

/**
 * Reads as far as the signature and checks it, before a byte is written anywhere. Throws with what
 * is wrong with the image.
 */
export async function readImage(
  chunks: AsyncIterator<Uint8Array>,
  keys: readonly KeyObject[],
): Promise<Image> {
  let start = Buffer.alloc(0)
  for (;;) {
    const header = decodeHeader(start)
    if (header) {
      if (!isSignedBy(header, keys)) throw new Error('is not signed by a trusted key')
      return {
        manifest: parseManifest(header.manifest),
        payload: () => rest(start.subarray(header.length), chunks),
      }
    }
    const { value, done } = await chunks.next()
    if (done) throw new Error('was cut off before its signature')
    start = Buffer.concat([start, value])
  }
}

function parseManifest(text: string): Manifest {
  const { data, error } = Manifest.safeParse(JSON.parse(text))
  const [issue] = error?.issues ?? []
  if (!data) throw new Error(`has a manifest that is not valid: ${issue?.path.join('.')}`)
  return data
}

async function* rest(first: Buffer, chunks: AsyncIterator<Uint8Array>): AsyncGenerator<Buffer> {
  if (first.length > 0) yield first
  for (;;) {
    const { value, done } = await chunks.next()
    if (done) return
    yield Buffer.from(value.buffer, value.byteOffset, value.byteLength)
  }
}
