import { type LookupAddress, lookup as systemLookup } from 'node:dns'
import http, { type IncomingMessage } from 'node:http'
import https from 'node:https'
import { isIP, type LookupFunction, type Socket } from 'node:net'
import tls from 'node:tls'
import { promisify } from 'node:util'
import { afterSteps } from '../after-steps.ts'

export type Resolve = (host: string) => Promise<LookupAddress[]>

export type OutgoingOptions = {
  /** Why no connection may go to this address; `host` is the name that led to it. */
  addressProblem(address: string, host: string): string | undefined
  signal: AbortSignal
  /** How long until the headers are here. */
  timeoutMs?: number
  method?: string
  headers?: Record<string, string | number>
  body?: string
  /** The system's resolver unless a test stands in for it. */
  resolve?: Resolve | undefined
  /** Certificate to trust besides those that Node brings. */
  ca?: string | undefined
  /** Opens the connection of plain http. */
  connect?(options: object): Socket
}

/** The address may not be called; the same one would be refused again. */
export class AddressRefused extends Error {
  override name = 'AddressRefused'
}

/** No address is known for the name. */
export class HostUnknown extends Error {
  override name = 'HostUnknown'
}

/**
 * One request to a URL that a user typed or a server sent. A name is checked by the addresses that
 * the connection is then made to, so that a second answer of the name server changes nothing; one
 * bad address among them is enough. Redirects are not followed.
 */
export function guardedRequest(url: URL, options: OutgoingOptions): Promise<IncomingMessage> {
  const { promise, resolve, reject } = Promise.withResolvers<IncomingMessage>()
  const host = hostOf(url)
  // Node asks no resolver about literal addresses.
  const problem = isIP(host) ? options.addressProblem(host, host) : undefined
  if (problem) return Promise.reject(new AddressRefused(problem))
  const { method = 'GET', headers = {}, signal, ca, connect, body = '' } = options
  const settings = { method, headers, signal, lookup: guardedLookup(options) }
  const request =
    url.protocol === 'https:'
      ? https.request(url, {
          ...settings,
          agent: false,
          ...(ca && { ca: [...tls.rootCertificates, ca] }),
        })
      : http.request(url, {
          ...settings,
          ...(connect ? { createConnection: connect } : { agent: false }),
        })
  const stopWaiting =
    options.timeoutMs === undefined
      ? () => {}
      : afterSteps(options.timeoutMs, () => request.destroy(new Error('no answer in time')))
  request.on('response', resolve)
  request.on('error', reject)
  request.end(body)
  return promise.finally(stopWaiting)
}

/** Without the brackets of an IPv6 address. */
const hostOf = (url: URL) => url.hostname.replace(/^\[|\]$/g, '')

const system: Resolve = (host) => promisify(systemLookup)(host, { all: true })

function guardedLookup({ resolve = system, addressProblem }: OutgoingOptions): LookupFunction {
  return (host, { all }, callback) => {
    resolve(host).then(
      (addresses) => {
        const [first] = addresses
        const problem = addresses.map(({ address }) => addressProblem(address, host)).find(Boolean)
        if (problem) callback(new AddressRefused(`${host}: ${problem}`), '')
        else if (!first) callback(new HostUnknown(`${host} has no address`), '')
        else if (all) callback(null, addresses)
        else callback(null, first.address, first.family)
      },
      (cause) => callback(new HostUnknown(`${host} could not be resolved`, { cause }), ''),
    )
  }
}
