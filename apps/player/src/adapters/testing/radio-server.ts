import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { createServer, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { mediaPath } from './media.ts'

export type RadioServer = {
  url: string
  /** What listeners are told from their next block of metadata on. */
  announce(title: string): void
  /** Keeps connections open and sends nothing, until `flow`. */
  stall(): void
  flow(): void
  /** Sends some bytes a second to those who listen now, and nothing is heard of that. */
  drip(): void
  /** The power goes: every connection breaks and nobody listens on the port. */
  kill(): Promise<void>
  /** On the same port. */
  restart(): Promise<void>
  connections(): number
  close(): Promise<void>
}

const TICK_MS = 50
const METADATA_EVERY = 2000
/** The fixture is 64 kbit/s, and its first 208 bytes are a header that belongs to no live stream. */
const BYTES_PER_SECOND = 8000
const sound = readFileSync(mediaPath('sweep-cbr-mono.mp3')).subarray(208)

/** A station that sends MP3 in true time, after a burst that fills buffers, with ICY titles. */
export async function startRadio({
  burst_s = 1.5,
  title = 'سورة الفاتحة',
} = {}): Promise<RadioServer> {
  let stalled = false
  let current = title
  let connections = 0
  let server: Server | undefined
  const listeners = new Set<ServerResponse>()
  const dripping = new WeakSet<ServerResponse>()

  function serve(response: ServerResponse, wantsTitles: boolean) {
    connections += 1
    listeners.add(response)
    response.writeHead(200, {
      'content-type': 'audio/mpeg',
      'icy-name': 'Test radio',
      ...(wantsTitles && { 'icy-metaint': METADATA_EVERY }),
    })
    response.flushHeaders()
    let sent = 0
    let told = ''
    const started = performance.now()
    let allowance = burst_s * BYTES_PER_SECOND
    let last = started

    function send() {
      const now = performance.now()
      if (dripping.has(response)) allowance = 1
      else if (!stalled) allowance += ((now - last) / 1000) * BYTES_PER_SECOND
      last = now
      while (!stalled && allowance >= 1) {
        const room = wantsTitles ? METADATA_EVERY - (sent % METADATA_EVERY) : sound.length
        const from = sent % sound.length
        const part = sound.subarray(from, from + Math.min(room, Math.floor(allowance)))
        response.write(part)
        sent += part.length
        allowance -= part.length
        if (!wantsTitles || sent % METADATA_EVERY !== 0) continue
        response.write(metadata(current === told ? '' : `StreamTitle='${current}';`))
        told = current
      }
    }

    const timer = setInterval(send, TICK_MS)
    response.on('close', () => {
      clearInterval(timer)
      listeners.delete(response)
    })
    send()
  }

  async function listen(port: number): Promise<Server> {
    const opened = createServer((request, response) =>
      serve(response, request.headers['icy-metadata'] === '1'),
    )
    opened.listen(port, '127.0.0.1')
    await once(opened, 'listening')
    return opened
  }

  server = await listen(0)
  const { port } = server.address() as AddressInfo

  async function kill() {
    const ended = server
    server = undefined
    if (!ended) return
    ended.close()
    ended.closeAllConnections()
    await once(ended, 'close')
  }

  return {
    url: `http://127.0.0.1:${port}/live`,
    announce: (next) => {
      current = next
    },
    stall: () => {
      stalled = true
    },
    flow: () => {
      stalled = false
    },
    drip() {
      for (const listener of listeners) dripping.add(listener)
    },
    kill,
    async restart() {
      server = await listen(port)
    },
    connections: () => connections,
    close: kill,
  }
}

function metadata(text: string): Buffer {
  const content = Buffer.from(text)
  const blocks = Math.ceil(content.length / 16)
  const bytes = Buffer.alloc(1 + blocks * 16)
  bytes[0] = blocks
  content.copy(bytes, 1)
  return bytes
}
