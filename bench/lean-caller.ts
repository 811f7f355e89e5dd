import net from 'node:net'
import type { Request, Target } from './load.ts'

type Reply = { status: number; text: string }
type Waiting = { resolve(reply: Reply): void; reject(error: Error): void }

const END_OF_HEAD = '\r\n\r\n'

/**
 * One connection that is kept, one request at a time, straight on the socket: a client of `node:http`
 * takes about as much of the two cores as the service that is measured.
 */
export function createLeanCaller({ address, headers = {} }: Target) {
  const { hostname, port, host, pathname } = new URL(address)
  const own = Object.entries({ host, ...headers }).map(([name, value]) => `${name}: ${value}\r\n`)
  const base = pathname === '/' ? '' : pathname
  const socket = net.connect({ host: hostname, port: Number(port), noDelay: true })
  let waiting: Waiting | undefined
  let received: Buffer = Buffer.alloc(0)

  function fail(error: Error) {
    waiting?.reject(error)
    waiting = undefined
  }
  socket.on('error', fail)
  socket.on('close', () => fail(new Error(`${address} closed the connection`)))
  socket.on('data', (chunk) => {
    received = received.length === 0 ? chunk : Buffer.concat([received, chunk])
    const headEnd = received.indexOf(END_OF_HEAD)
    if (headEnd === -1) return
    const head = received.toString('latin1', 0, headEnd)
    const [, length] = /\r\ncontent-length: *(\d+)/i.exec(head) ?? []
    if (length === undefined) return fail(new Error(`a reply without a length: ${head}`))
    const bodyAt = headEnd + END_OF_HEAD.length
    if (received.length < bodyAt + Number(length)) return
    const text = received.toString('utf8', bodyAt, bodyAt + Number(length))
    received = Buffer.alloc(0)
    waiting?.resolve({ status: Number(head.slice(9, 12)), text })
    waiting = undefined
  })

  /** Resolves to the milliseconds it took; what was not answered with success is no measurement. */
  async function send({ method, path, body }: Request): Promise<number> {
    const payload = body ? JSON.stringify(body) : ''
    const about = body
      ? `content-type: application/json\r\ncontent-length: ${Buffer.byteLength(payload)}\r\n`
      : ''
    const began = performance.now()
    const { status, text } = await new Promise<Reply>((resolve, reject) => {
      waiting = { resolve, reject }
      socket.write(`${method} ${base}${path} HTTP/1.1\r\n${own.join('')}${about}\r\n${payload}`)
    })
    if (status !== 200 && status !== 201) throw new Error(`${method} ${path}: ${status} ${text}`)
    return performance.now() - began
  }
  return { send, close: () => void socket.destroy() }
}
