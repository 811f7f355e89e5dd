import { conflict } from '@manara/kit/errors'
import type { FastifyRequest } from 'fastify'

/** For whom a passkey is: browsers bind it to the name, and say on which page it was used. */
export type RelyingParty = { id: string; origin: string }

/** EdDSA, ES256 and RS256: what authenticators have. Named, since the library else asks for experimental ones. */
export const ALGORITHMS = [-8, -7, -257]

export type PasskeyAnswer = { flow: string; credential: Record<string, unknown> }

/**
 * By SOC_PUBLIC_URL, else by the name in the request if it is one of ours. A page elsewhere that
 * forwards to us shows its own origin, which is not this one.
 */
export function createRelyingParty({
  publicUrl,
  hostNames,
}: {
  publicUrl: string | undefined
  hostNames: string[]
}) {
  const configured = publicUrl ? new URL(publicUrl) : undefined
  const known = new Set(hostNames.map((name) => name.toLowerCase()))

  return {
    isPossible: (request: FastifyRequest) => find(request) !== undefined,
    of(request: FastifyRequest): RelyingParty {
      const party = find(request)
      if (!party) throw conflict(NO_NAME)
      return party
    },
  }

  function find(request: FastifyRequest): RelyingParty | undefined {
    if (configured) return { id: configured.hostname, origin: configured.origin }
    const url = URL.parse(`${request.protocol}://${request.host}`)
    if (!url) return undefined
    const isLocal = url.hostname === 'localhost' || url.hostname.endsWith('.localhost')
    if (!isLocal && !(url.protocol === 'https:' && known.has(url.hostname))) return undefined
    return { id: url.hostname, origin: url.origin }
  }
}

const NO_NAME =
  'passkeys belong to a name: set SOC_PUBLIC_URL to the https address that browsers use'
