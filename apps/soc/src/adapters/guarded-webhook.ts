import type { IncomingMessage } from 'node:http'
import { AppError, invalid } from '@manara/kit/errors'
import { addressKind } from '@manara/kit/outgoing/addresses'
import {
  AddressRefused,
  guardedRequest,
  HostUnknown,
  type Resolve,
} from '@manara/kit/outgoing/guarded-request'
import type { CallWebhook, WebhookCall } from '../ports/webhook.ts'
import { parseAllowance } from './webhook-allowance.ts'

const ANSWER_LIMIT = 64 * 1024

/**
 * Calls out to public addresses, and to others only when `allow` names them. A redirect is an answer
 * like any other and is not followed.
 */
export function createWebhookCaller(options: {
  allow: readonly string[]
  resolve?: Resolve
}): CallWebhook {
  const isAllowed = parseAllowance(options.allow)

  function send(url: URL, call: WebhookCall, signal: AbortSignal): Promise<IncomingMessage> {
    const port = Number(url.port || (url.protocol === 'https:' ? 443 : 80))
    const { method } = call
    const body = call.body ?? ''
    return guardedRequest(url, {
      ...{ method, body, signal, resolve: options.resolve },
      headers: { ...call.headers, 'content-length': Buffer.byteLength(body) },
      addressProblem: (address, host) =>
        addressKind(address) === undefined || isAllowed(host, port, address)
          ? undefined
          : `${host} is ${address}, not a public address`,
    })
  }

  return async (call, signal) => {
    const url = URL.parse(call.url)
    if (!url || !/^https?:$/.test(url.protocol)) throw invalid('url', 'must be http or https')
    if (url.username || url.password) throw invalid('url', 'must not carry a user or password')
    const answer = await send(url, call, signal).catch((error) => {
      throw explained(url, error)
    })
    // The status came, so the call did arrive, whatever becomes of the body.
    const body = await beginningOf(answer).catch(() => '')
    return { status: answer.statusCode ?? 0, body }
  }
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

/** An AppError when the call was certainly not sent. */
function explained(url: URL, error: NodeJS.ErrnoException): Error {
  if (error instanceof AddressRefused) {
    const how = 'SOC_WEBHOOK_ALLOW names the private addresses that may be called'
    return new AppError(409, `${error.message}: ${how}`)
  }
  if (error instanceof HostUnknown) return new AppError(503, error.message, { cause: error })
  if (!BEFORE_SENDING.test(error.code ?? '')) return error
  return new AppError(503, `${url.host} could not be reached (${error.code})`, { cause: error })
}
