import http from 'node:http'
import https from 'node:https'
import { json } from 'node:stream/consumers'

const LIMIT_MS = 10_000
const EVERYWHERE = new Set(['0.0.0.0', '::'])

/** Why the service does not answer on its own port as the version it should be, or undefined. */
export function askSelf(
  { host, port, tls }: { host: string; port: number; tls: boolean },
  version: string,
): Promise<string | undefined> {
  const { promise, resolve } = Promise.withResolvers<string | undefined>()
  // Who listens everywhere is asked at home.
  const own = EVERYWHERE.has(host) ? '127.0.0.1' : host
  const options = { host: own, port, path: '/api/system', agent: false, timeout: LIMIT_MS }
  const request = tls
    ? // Its own certificate, which nobody but itself has signed.
      https.get({ ...options, rejectUnauthorized: false })
    : http.get(options)
  request.on('timeout', () => request.destroy(new Error(`no answer in ${LIMIT_MS / 1000} s`)))
  request.on('error', (error) => resolve(`it does not answer: ${error.message}`))
  request.on('response', async (reply) => {
    try {
      const told = ((await json(reply)) as { version?: string }).version
      resolve(told === version ? undefined : `it answers as ${told}, not as ${version}`)
    } catch (error) {
      resolve(`it answers ${reply.statusCode}: ${(error as Error).message}`)
    }
  })
  return promise
}
