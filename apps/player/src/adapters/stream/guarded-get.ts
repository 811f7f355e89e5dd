import type { IncomingHttpHeaders, IncomingMessage } from 'node:http'
import { connect, type NetConnectOpts, type Socket } from 'node:net'
import { Duplex, Transform } from 'node:stream'
import { afterSteps, timeLimit } from '@manara/kit/after-steps'
import { AddressRefused, guardedRequest, type Resolve } from '@manara/kit/outgoing/guarded-request'
import { streamUrlProblem } from '@manara/player-contract/stream-url'
import { addressProblem } from './addresses.ts'

export type GetOptions = {
  signal: AbortSignal
  /** How long until the headers are here. */
  timeout_ms: number
  headers?: Record<string, string>
  /** The system's resolver unless a test stands in for it. */
  resolve?: Resolve
  /** Those of streams unless something stricter is asked for. */
  rules?: AddressRules
  /** Certificates to trust besides those that Node brings. */
  ca?: string | undefined
}

export type AddressRules = {
  urlProblem(text: string): string | undefined
  /** `host` is the name as the address spells it. */
  addressProblem(address: string, host: string): string | undefined
}

export type Reply = {
  /** Where the redirects led. */
  url: string
  status: number
  headers: IncomingHttpHeaders
  body: IncomingMessage
}

const MAX_REDIRECTS = 3
/** A text that takes this many times as long as a silence may last does not come to its end. */
const DRIPPING = 2
const STREAM_RULES: AddressRules = { urlProblem: streamUrlProblem, addressProblem }

/** Not worth trying again: the same address would be refused the same way. */
export const refused = (reason: string) =>
  Object.assign(new Error(reason), { final: true as const })

export const isFinal = (error: unknown): boolean =>
  error instanceof AddressRefused || (error instanceof Error && 'final' in error)

/**
 * GET for addresses that a user typed or a server sent. Every hop is checked again, names by the
 * addresses they resolve to at the moment of connecting, so that a name cannot change its mind.
 */
export async function guardedGet(address: string, options: GetOptions): Promise<Reply> {
  let url = address
  for (let hop = 0; hop <= MAX_REDIRECTS; hop++) {
    const body = await getOnce(url, options)
    const status = body.statusCode ?? 0
    const { location } = body.headers
    if (status < 300 || status > 399 || location === undefined)
      return { url, status, headers: body.headers, body }
    body.destroy()
    url = URL.parse(location, url)?.href ?? location
  }
  throw refused(`more than ${MAX_REDIRECTS} redirects`)
}

function getOnce(url: string, options: GetOptions): Promise<IncomingMessage> {
  const { rules = STREAM_RULES, ca, resolve, signal } = options
  const problem = rules.urlProblem(url)
  if (problem) throw refused(`the address ${problem}`)
  return guardedRequest(new URL(url), {
    ...{ ca, resolve, signal },
    timeoutMs: options.timeout_ms,
    headers: { 'user-agent': 'Manara', 'accept-encoding': 'identity', ...options.headers },
    addressProblem: rules.addressProblem,
    connect: connectTolerant,
  })
}

/** The body as text. One that is longer than it can sensibly be is refused; one that stalls or drips is given up. */
export async function readText({ body }: Reply, limit: number, stall_ms: number): Promise<string> {
  const chunks: Buffer[] = []
  let length = 0
  using patience = timeLimit(DRIPPING * stall_ms)
  for await (const chunk of withoutStall(body, stall_ms)) {
    chunks.push(chunk)
    length += chunk.length
    if (patience.signal.aborted)
      throw new Error(`no answer within ${(DRIPPING * stall_ms) / 1000} s`)
    if (length > limit) throw refused('the playlist is too long')
  }
  return Buffer.concat(chunks).toString('utf8')
}

/** Time in which nobody asks for more does not count. */
export async function* withoutStall(body: IncomingMessage, ms: number): AsyncGenerator<Buffer> {
  const chunks: AsyncIterator<Buffer> = body[Symbol.asyncIterator]()
  try {
    for (;;) {
      const stalled = () => body.destroy(new Error(`nothing came for ${ms / 1000} s`))
      const { value, done } = await chunks.next().finally(afterSteps(ms, stalled))
      if (done) return
      yield value
    }
  } finally {
    body.destroy()
  }
}

/** Shoutcast 1 answers `ICY 200 OK`, which Node's parser refuses; it becomes HTTP on its way in. */
function connectTolerant(options: object): Socket {
  const socket = connect(options as NetConnectOpts)
  let first = true
  const rewrite = new Transform({
    transform(chunk: Buffer, _encoding, done) {
      const isIcy = first && chunk.subarray(0, 4).toString('latin1') === 'ICY '
      first = false
      done(null, isIcy ? Buffer.concat([Buffer.from('HTTP/1.0 '), chunk.subarray(4)]) : chunk)
    },
  })
  // The request needs no more of a socket than that it can be read and written.
  return Duplex.from({ readable: socket.pipe(rewrite), writable: socket }) as Socket
}
