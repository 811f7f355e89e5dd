import { promisify } from 'node:util'
import { gunzip, inflate, zstdDecompress } from 'node:zlib'
import { invalid } from '@manara/kit/errors'

/** Of a request, as sent and as unpacked. */
export const MOST_BODY_BYTES = 64 * 1024 * 1024

const UNPACK: Record<string, (body: Buffer, options: Options) => Promise<Buffer>> = {
  gzip: promisify<Buffer, Options, Buffer>(gunzip),
  'x-gzip': promisify<Buffer, Options, Buffer>(gunzip),
  deflate: promisify<Buffer, Options, Buffer>(inflate),
  zstd: promisify<Buffer, Options, Buffer>(zstdDecompress),
}
type Options = { maxOutputLength: number; chunkSize: number }

/** Unpacked in another thread, and never to more than a request may hold. */
export async function readBody(body: unknown, encoding: string | undefined): Promise<Buffer> {
  const packed = Buffer.isBuffer(body) ? body : Buffer.alloc(0)
  const name = encoding?.trim().toLowerCase() ?? 'identity'
  if (name === 'identity' || name === '' || packed.length === 0) return packed
  const unpack = Object.hasOwn(UNPACK, name) ? UNPACK[name] : undefined
  if (!unpack) throw invalid('content-encoding', 'send gzip, deflate, zstd or none')
  try {
    return await unpack(packed, { maxOutputLength: MOST_BODY_BYTES, chunkSize: 256 * 1024 })
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ERR_BUFFER_TOO_LARGE') {
      throw invalid('body', 'unpacks to more than 64 MB: send smaller batches')
    }
    throw invalid('body', `is not valid ${name}`)
  }
}
