import type { Duplex } from 'node:stream'

const LINGER_MS = 2_000

/**
 * Says the last word on a connection. What the other side still sends may arrive, so that it gets to
 * read the word; one that keeps its end open then loses it.
 */
export function hangUp(stream: Duplex, word: string, lingerMs = LINGER_MS) {
  const timer = setTimeout(() => stream.destroy(), lingerMs)
  stream.once('close', () => clearTimeout(timer))
  stream.end(word)
}

/** The same over HTTP, as JSON. */
export function refuseHttp(stream: Duplex, status: string, answer: object) {
  const body = JSON.stringify(answer)
  hangUp(
    stream,
    `HTTP/1.1 ${status}\r\ncontent-type: application/json\r\ncontent-length: ${Buffer.byteLength(body)}\r\nconnection: close\r\n\r\n${body}`,
  )
}
