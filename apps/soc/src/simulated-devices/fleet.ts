import type { AttestationRequest } from '@manara/attestation/request'
import { type Behaviour, type Memory, type SimulatedDevice, startDevice } from './device.ts'
import type { Identity } from './identity.ts'

export type Mix = Record<Behaviour, number>

/** Of a hundred devices; what is left is honest. */
export const USUAL_MIX: Omit<Mix, 'honest'> = {
  tampered: 2,
  slow: 2,
  silent: 2,
  cloned: 2,
  replaying: 2,
}

type Tally = {
  /** Requests by id, with how often each came over the wire. */
  requests: Map<string, number>
  answered: Set<string>
}

type Member = { identity: Identity; behaviour: Behaviour; device: SimulatedDevice; memory: Memory }

/** The kinds of `count` devices, mixed evenly through the fleet. */
export function behavioursOf(count: number, mix: Omit<Mix, 'honest'>): Behaviour[] {
  const kinds = Object.entries(mix) as [Behaviour, number][]
  const odd = kinds.flatMap(([kind, percent]) =>
    Array<Behaviour>(Math.round((count * percent) / 100)).fill(kind),
  )
  return Array.from({ length: count }, (_, index) => odd[index] ?? 'honest')
}

/** Many devices in one process. The first answer of each is as it should be: then it misbehaves. */
export function startFleet(options: {
  identities: Identity[]
  behaviours: Behaviour[]
  address: { host: string; port: number }
  slowMs?: number
}) {
  const tally: Tally = { requests: new Map(), answered: new Set() }
  const members: Member[] = []
  const copies: SimulatedDevice[] = []

  function add(identity: Identity, behaviour: Behaviour) {
    const memory: Memory = { bootCount: 0, answered: new Set() }
    const device = startDevice({
      ...{ identity, memory, address: options.address },
      ...(options.slowMs ? { slowMs: options.slowMs } : {}),
      // It is told later: the platform has to know first what is normal.
      behaviour: behaviour === 'tampered' || behaviour === 'cloned' ? 'honest' : behaviour,
      onRequest: ({ id }) => tally.requests.set(id, (tally.requests.get(id) ?? 0) + 1),
      onAnswered: (request) => answered(request, member),
    })
    const member = { identity, behaviour, device, memory }
    members.push(member)
  }

  function answered({ id }: AttestationRequest, { behaviour, device, identity }: Member) {
    tally.answered.add(id)
    if (behaviour === 'tampered') device.tamper()
    if (behaviour === 'cloned' && !copies.some((copy) => copy.identity === identity)) {
      copies.push(startCopy(identity))
    }
  }

  /** Somebody took the key out of a device and runs it elsewhere. */
  function startCopy(identity: Identity): SimulatedDevice {
    return startDevice({
      ...{ identity, address: options.address },
      mqtt: { clientId: `${identity.deviceId} copy` },
    })
  }

  for (const [index, identity] of options.identities.entries()) {
    add(identity, options.behaviours[index] ?? 'honest')
  }
  return {
    tally,
    members,
    connected: () => members.filter(({ device }) => device.client.connected).length,
    async stop() {
      await Promise.all(
        [...members.map(({ device }) => device), ...copies].map((one) => one.kill()),
      )
    },
  }
}
