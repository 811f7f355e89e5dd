import { promisify } from 'node:util'
import { gunzip, inflate, inflateRaw, zstdDecompress } from 'node:zlib'
import { AppError, invalid } from '@manara/kit/errors'

/** Of a request, as sent and as unpacked. */
export const MOST_BODY_BYTES = 64 * 1024 * 1024

const UNPACK: Record<string, (body: Buffer, options: Options) => Promise<Buffer>> = {
  gzip: promisify<Buffer, Options, Buffer>(gunzip),
  'x-gzip': promisify<Buffer, Options, Buffer>(gunzip),
  deflate: (body, options) => (isZlib(body) ? inflated(body, options) : bare(body, options)),
  zstd: unpackFrames,
}
type Options = { maxOutputLength: number; chunkSize: number }

const inflated = promisify<Buffer, Options, Buffer>(inflate)
const bare = promisify<Buffer, Options, Buffer>(inflateRaw)
/** Some senders leave out the header that belongs before what they call deflate. */
const isZlib = (body: Buffer) =>
  body.length > 1 && ((body[0] ?? 0) & 15) === 8 && body.readUInt16BE() % 31 === 0

type Frame = { buffer: Buffer; engine: { bytesWritten: number } }
const unpackFrame = promisify<Buffer, Options & { info: true }, unknown>(zstdDecompress)
const MOST_FRAMES = 1_000

/** The library ends behind the first frame: what follows would be lost without a word. */
async function unpackFrames(body: Buffer, { maxOutputLength, chunkSize }: Options) {
  const unpacked: Buffer[] = []
  let room = maxOutputLength
  for (let at = 0; at < body.length; ) {
    if (unpacked.length === MOST_FRAMES) {
      throw invalid('body', 'has more than 1,000 frames: send smaller batches')
    }
    // The least that can be asked for, where there is no room left, is one byte.
    const options = { maxOutputLength: Math.max(1, room), chunkSize, info: true } as const
    const { buffer, engine } = (await unpackFrame(body.subarray(at), options)) as Frame
    if (at === 0 && engine.bytesWritten === body.length) return buffer
    // Alone, without the rest of the memory that it was unpacked into.
    unpacked.push(Buffer.from(buffer))
    room -= buffer.length
    at += engine.bytesWritten
  }
  return Buffer.concat(unpacked)
}

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
    if (error instanceof AppError) throw error
    if ((error as NodeJS.ErrnoException).code === 'ERR_BUFFER_TOO_LARGE') {
      throw invalid('body', 'unpacks to more than 64 MB: send smaller batches')
    }
    throw invalid('body', `is not valid ${name}`)
  }
}
