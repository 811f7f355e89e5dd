import { open, stat } from 'node:fs/promises'
import { createPatience, letGo, type Patience } from '../patience.ts'

export type ByteReader = {
  /** Size when the file was opened. */
  size: number
  /** The same for the same content of the same file. */
  version: string
  /** Fewer bytes than asked for only at the end; throws `SourceLost` when the file shrank or failed. */
  read(position: number, length: number): Promise<Uint8Array>
  close(): Promise<void>
}

/** The card was pulled, or the file was cut while it played. */
export const sourceLost = (reason: string, cause?: unknown) =>
  Object.assign(new Error(reason, { cause }), { lost: true as const })

export const isLost = (error: unknown): boolean => error instanceof Error && 'lost' in error

/** What plays, what follows it, and one to spare. */
const AT_ONCE = 3
/** Of each disk: a dead card must not keep the adhan of the box itself from being read. */
const patiences = new Map<number, Patience>()

function patienceWith(disk: number): Patience {
  const known = patiences.get(disk) ?? createPatience(AT_ONCE)
  patiences.set(disk, known)
  return known
}

/** Whoever names a file has looked for it, so that `stat` is mostly answered from memory. */
export async function openBytes(path: string, patienceOf = patienceWith): Promise<ByteReader> {
  const found = await createPatience(1).ask(() => stat(path))
  // Opening a named pipe would wait for its other end for ever.
  if (!found.isFile()) throw new Error(`${path} is not a file`)
  const { ask } = patienceOf(found.dev)
  const file = await ask(() => open(path, 'r'), { tooLate: letGo })
  const { size, mtimeMs } = await ask(() => file.stat())

  async function read(position: number, length: number): Promise<Uint8Array> {
    const wanted = Math.max(0, Math.min(length, size - position))
    const bytes = new Uint8Array(wanted)
    let filled = 0
    while (filled < wanted) {
      const { bytesRead } = await ask(() =>
        file.read(bytes, filled, wanted - filled, position + filled),
      ).catch((error) => {
        throw sourceLost(`the file cannot be read any more: ${error.message}`, error)
      })
      if (bytesRead === 0) throw sourceLost('the file became shorter while it was playing')
      filled += bytesRead
    }
    return bytes
  }

  return { size, version: `${path}\0${size}\0${mtimeMs}`, read, close: async () => letGo(file) }
}
