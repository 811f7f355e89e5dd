/** A file as headers are read from it. */
export type ByteSource = {
  size: number
  /** Fewer bytes than asked for only at the end. */
  read(position: number, length: number): Promise<Uint8Array>
}

/** The same bytes, with readers for numbers and text. */
export const bufferOf = (bytes: Uint8Array) =>
  Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length)
