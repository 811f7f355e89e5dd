import type { Readable } from 'node:stream'

/** Left open when it is refused half-way: a torn connection could not carry the reason. */
export function bodyChunks(body: unknown): AsyncIterable<Uint8Array> {
  const stream = body as Readable | undefined
  return stream?.iterator({ destroyOnReturn: false }) ?? (async function* () {})()
}
