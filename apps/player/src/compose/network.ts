import type { networkInterfaces } from 'node:os'
import { createClientAddress } from '../http/client-address.ts'
import { createOriginCheck } from '../http/origin-check.ts'
import { createOwnNames } from '../http/own-names.ts'

export type NetworkParts = {
  /** What the owner calls the box, and what the machine calls itself. */
  hostnames(): readonly string[]
  interfaces: typeof networkInterfaces
  /** See `PLAYER_ORIGINS` and `PLAYER_TRUSTED_PROXIES`. */
  origins: readonly string[]
  trustedProxies: readonly string[]
}

/** Who the box is in its network, and who may ask it. */
export function composeNetwork({ origins, trustedProxies, ...parts }: NetworkParts) {
  const own = createOwnNames(parts)
  return {
    own,
    callers: {
      originProblem: createOriginCheck({ own, allowed: origins }),
      clientAddress: createClientAddress(trustedProxies),
    },
  }
}
