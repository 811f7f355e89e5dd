import { open, stat } from 'node:fs/promises'

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

export async function openBytes(path: string): Promise<ByteReader> {
  // Opening a named pipe would wait for its other end for ever.
  if (!(await stat(path)).isFile()) throw new Error(`${path} is not a file`)
  const file = await open(path, 'r')
  const { size, mtimeMs } = await file.stat()

  async function read(position: number, length: number): Promise<Uint8Array> {
    const wanted = Math.max(0, Math.min(length, size - position))
    const bytes = new Uint8Array(wanted)
    let filled = 0
    while (filled < wanted) {
      const { bytesRead } = await file
        .read(bytes, filled, wanted - filled, position + filled)
        .catch((error) => {
          throw sourceLost(`the file cannot be read any more: ${error.message}`, error)
        })
      if (bytesRead === 0) throw sourceLost('the file became shorter while it was playing')
      filled += bytesRead
    }
    return bytes
  }

  return { size, version: `${path}\0${size}\0${mtimeMs}`, read, close: () => file.close() }
}
