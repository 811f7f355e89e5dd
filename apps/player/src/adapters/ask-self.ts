import http, { type IncomingMessage } from 'node:http'
import https from 'node:https'
import { json } from 'node:stream/consumers'
import { setTimeout } from 'node:timers/promises'

export type SelfOptions = {
  host: string
  port: number
  tls: boolean
  /** Requests with it are counted apart from those of others at the same address. */
  token: string
}

const LIMIT_MS = 10_000
/** Together less than the launcher waits for a verdict. */
const TRIES = 4
const EVERYWHERE = new Set(['0.0.0.0', '::'])

/** Why the service does not answer on its own port as the version it should be, or undefined. */
export async function askSelf(options: SelfOptions, version: string): Promise<string | undefined> {
  for (let left = TRIES - 1; ; left -= 1) {
    const { problem, retryAfterS } = await askOnce(options, version)
    if (retryAfterS === undefined || left === 0) return problem
    await setTimeout(retryAfterS * 1000)
  }
}

/** That there is too much to do is no answer of the version: `retryAfterS` says when there may be one. */
type Answer = { problem?: string; retryAfterS?: number }

function askOnce({ host, port, tls, token }: SelfOptions, version: string): Promise<Answer> {
  const { promise, resolve } = Promise.withResolvers<Answer>()
  // Who listens everywhere is asked at home.
  const own = EVERYWHERE.has(host) ? '127.0.0.1' : host
  const headers = { authorization: `Bearer ${token}` }
  const options = { host: own, port, path: '/api/system', agent: false, timeout: LIMIT_MS, headers }
  const request = tls
    ? // Its own certificate, which nobody but itself has signed.
      https.get({ ...options, rejectUnauthorized: false })
    : http.get(options)
  request.on('timeout', () => request.destroy(new Error(`no answer in ${LIMIT_MS / 1000} s`)))
  request.on('error', (error) => resolve({ problem: `it does not answer: ${error.message}` }))
  request.on('response', async (reply) => {
    try {
      const told = (await json(reply)) as { version?: string; error?: string }
      resolve(told.version === version ? {} : misfit(reply, told, version))
    } catch (error) {
      resolve({ problem: `it answers ${reply.statusCode}: ${(error as Error).message}` })
    }
  })
  return promise
}

function misfit(
  { statusCode, headers }: IncomingMessage,
  told: { version?: string; error?: string },
  version: string,
): Answer {
  if (statusCode === 200) return { problem: `it answers as ${told.version}, not as ${version}` }
  const problem = `it answers ${statusCode}: ${told.error}`
  return statusCode === 429
    ? { problem, retryAfterS: Math.min(10, Number(headers['retry-after']) || 10) }
    : { problem }
}
