import http from 'node:http'
import { createLeanCaller } from './lean-caller.ts'

export type Request = { method: 'GET' | 'POST'; path: string; body?: object }
export type Target = { address: string; headers?: Record<string, string> }

/** Sends one request over a kept-alive connection; resolves to the milliseconds it took. */
export function createCaller({ address, headers = {} }: Target) {
  const agent = new http.Agent({ keepAlive: true })
  const call = ({ method, path, body }: Request) =>
    new Promise<{ status: number; ms: number; text: string }>((resolve, reject) => {
      const payload = body ? JSON.stringify(body) : ''
      const began = performance.now()
      const request = http.request(
        `${address}${path}`,
        {
          method,
          agent,
          headers: body
            ? {
                ...headers,
                'content-type': 'application/json',
                'content-length': Buffer.byteLength(payload),
              }
            : headers,
        },
        (reply) => {
          let text = ''
          reply.setEncoding('utf8').on('data', (chunk) => {
            text += chunk
          })
          reply.on('end', () =>
            resolve({ status: reply.statusCode ?? 0, ms: performance.now() - began, text }),
          )
        },
      )
      request.on('error', reject)
      request.end(payload)
    })
  /** What was not answered with success is no measurement. */
  async function send(request: Request) {
    const reply = await call(request)
    if (reply.status === 200 || reply.status === 201) return reply
    throw new Error(`${request.method} ${request.path}: ${reply.status} ${reply.text}`)
  }
  return { send, close: () => agent.destroy() }
}

/** `callers` at once, each sending the next request when its last was answered. */
export async function load(
  target: Target,
  callers: number,
  count: number,
  next: (index: number) => Request,
) {
  const times: number[] = []
  let sent = 0
  const began = performance.now()
  await Promise.all(
    Array.from({ length: callers }, async () => {
      const { send, close } = createLeanCaller(target)
      while (sent < count) times.push(await send(next(sent++)))
      close()
    }),
  )
  const seconds = (performance.now() - began) / 1_000
  return { perSecond: count / seconds, ...spread(times) }
}

/** Every caller asks the two turn and turn about, so that both meet the same machine. */
export async function sideBySide(
  targets: [Target, Target],
  callers: number,
  count: number,
  next: (index: number) => Request,
) {
  const times: [number[], number[]] = [[], []]
  let sent = 0
  await Promise.all(
    Array.from({ length: callers }, async () => {
      const [first, second] = [createLeanCaller(targets[0]), createLeanCaller(targets[1])]
      while (sent < count) {
        times[0].push(await first.send(next(sent++)))
        times[1].push(await second.send(next(sent++)))
      }
      first.close()
      second.close()
    }),
  )
  return [spread(times[0]), spread(times[1])] as const
}

function spread(times: number[]) {
  times.sort((a, b) => a - b)
  const at = (share: number) => times[Math.floor((times.length - 1) * share)] ?? 0
  return { p50: at(0.5), p99: at(0.99) }
}
