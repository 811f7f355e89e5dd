import { addressKind } from '@manara/kit/outgoing/addresses'
import type { Resolve } from '@manara/kit/outgoing/guarded-request'
import { updateUrlProblem } from '@manara/player-contract/update-url'
import type { UpdateSource } from '../ports/update-source.ts'
import { type AddressRules, guardedGet } from './stream/guarded-get.ts'

export type UpdateSourceOptions = {
  /** Names or addresses of update servers in the owner's own network. */
  allow: readonly string[]
  /** Certificate that such a server is signed by. */
  ca?: string | undefined
  /** Bytes that an answer may announce. */
  limit: number
  resolve?: Resolve
}

const CONNECT_MS = 15_000
const TOTAL_MS = 30 * 60_000

/** Images come from the open internet, or from a server that the owner has named. */
export function createUpdateSource(options: UpdateSourceOptions): UpdateSource {
  const { allow, ca, limit, resolve } = options
  const rules: AddressRules = {
    urlProblem: updateUrlProblem,
    addressProblem: (address, host) =>
      allow.includes(host) ? undefined : privateAddressProblem(address),
  }

  return {
    async open(url) {
      const signal = AbortSignal.timeout(TOTAL_MS)
      const get = { signal, timeout_ms: CONNECT_MS, rules, ca, ...(resolve && { resolve }) }
      const { status, headers, body } = await guardedGet(url, get)
      const length = Number(headers['content-length'] ?? 0)
      const problem =
        status !== 200
          ? `the server answered ${status}`
          : length > limit
            ? `the image is larger than the ${limit >> 20} MiB this box takes`
            : undefined
      if (problem === undefined) return body
      body.destroy()
      throw new Error(problem)
    },
  }
}

/** Why no image is fetched from this address. */
const privateAddressProblem = (address: string) =>
  addressKind(address) && `${address} is not an address of the open internet`
