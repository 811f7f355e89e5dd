import { lookup as resolve } from 'node:dns/promises'
import { request as overHttp } from 'node:http'
import { request as overHttps } from 'node:https'
import { isIP, type LookupFunction } from 'node:net'
import { AppError, invalid } from '@manara/kit/errors'
import type { CallWebhook, WebhookCall } from '../ports/webhook.ts'
import { isForbidden, parseAllowance } from './forbidden-addresses.ts'

const ANSWER_LIMIT = 64 * 1024

type Resolve = (host: string) => Promise<{ address: string; family: number }[]>
const system: Resolve = (host) => resolve(host, { all: true })

/**
 * Calls out to public addresses, and to others only when `allow` names them. The name is resolved
 * once and the connection goes to the address that was checked, so that a second answer of the name
 * server changes nothing. A redirect is an answer like any other and is not followed.
 */
export function createWebhookCaller(options: {
  allow: readonly string[]
  resolve?: Resolve
}): CallWebhook {
  const isAllowed = parseAllowance(options.allow)
  const resolveHost = options.resolve ?? system

  async function vet(url: URL): Promise<{ address: string; family: number }> {
    const host = url.hostname.replace(/^\[|\]$/g, '')
    const port = Number(url.port || (url.protocol === 'https:' ? 443 : 80))
    const family = isIP(host)
    const found = family ? [{ address: host, family }] : await addressesOf(host)
    // One bad address is enough: which one is used would be left to chance.
    const bad = found.find(({ address }) => isForbidden(address) && !isAllowed(host, port, address))
    const [first] = found
    if (bad) throw refused(`${host} is ${bad.address}, not a public address`)
    if (!first) throw new AppError(503, `${host} has no address`)
    return first
  }

  async function addressesOf(host: string) {
    try {
      return await resolveHost(host)
    } catch (error) {
      throw new AppError(503, `${host} could not be resolved`, { cause: error })
    }
  }

  return async (call, signal) => {
    const url = URL.parse(call.url)
    if (!url || !/^https?:$/.test(url.protocol)) throw invalid('url', 'must be http or https')
    if (url.username || url.password) throw invalid('url', 'must not carry a user or password')
    const address = await vet(url)
    return send(url, call, address, signal)
  }
}

function send(
  url: URL,
  call: WebhookCall,
  { address, family }: { address: string; family: number },
  signal: AbortSignal,
): Promise<{ status: number; body: string }> {
  const lookup: LookupFunction = (_host, options, done) =>
    options.all ? done(null, [{ address, family }]) : done(null, address, family)
  return new Promise((resolve, reject) => {
    const request = (url.protocol === 'https:' ? overHttps : overHttp)(url, {
      method: call.method,
      headers: { ...call.headers, 'content-length': Buffer.byteLength(call.body ?? '') },
      lookup,
      agent: false,
      signal,
    })
    request.on('response', async (answer) => {
      try {
        resolve({ status: answer.statusCode ?? 0, body: await beginningOf(answer) })
      } catch {
        // The status came, so the call did arrive.
        resolve({ status: answer.statusCode ?? 0, body: '' })
      }
    })
    request.on('error', (error: NodeJS.ErrnoException) =>
      reject(wasNotSent(error) ? notReached(url, error) : error),
    )
    request.end(call.body ?? '')
  })
}

/** No more than a step's output may hold; the rest is not waited for. */
async function beginningOf(answer: AsyncIterable<Buffer>): Promise<string> {
  const chunks: Buffer[] = []
  let size = 0
  for await (const chunk of answer) {
    chunks.push(chunk)
    size += chunk.length
    if (size >= ANSWER_LIMIT) break
  }
  return Buffer.concat(chunks).subarray(0, ANSWER_LIMIT).toString('utf8')
}

const BEFORE_SENDING =
  /^(ECONNREFUSED|EHOSTUNREACH|ENETUNREACH|EADDRNOTAVAIL|ENOTFOUND|CERT_|ERR_TLS_|DEPTH_ZERO|SELF_SIGNED|UNABLE_TO_)/

const wasNotSent = (error: NodeJS.ErrnoException) => BEFORE_SENDING.test(error.code ?? '')

const notReached = (url: URL, error: NodeJS.ErrnoException) =>
  new AppError(503, `${url.host} could not be reached (${error.code})`, { cause: error })

const refused = (why: string) =>
  new AppError(409, `${why}: SOC_WEBHOOK_ALLOW names the private addresses that may be called`)
