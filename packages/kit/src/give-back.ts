/**
 * Frees memory at once, instead of when this thread next cleans up, for which it does not count as
 * large. Bytes that share theirs with others, as small buffers do, are left alone. Nobody can read
 * them afterwards.
 */
export function giveBack(bytes: Uint8Array | undefined): void {
  if (!bytes || bytes.byteLength !== bytes.buffer.byteLength) return
  if (bytes.buffer instanceof ArrayBuffer) bytes.buffer.transfer(0)
}
