import { type AddressKind, addressKind } from '@manara/kit/outgoing/addresses'

// A radio on the same machine or in the same house is normal, so loopback and private networks
// stay open. What is closed answers machines about themselves, or is no machine at all.
const CLOSED: Partial<Record<AddressKind, string>> = {
  'link-local': 'is link-local or a metadata service',
  unspecified: 'is the unspecified address',
  multicast: 'is a multicast address',
  broadcast: 'is the broadcast address',
  'no address': 'is not an address',
}

/** Why no connection may go to this IP address, or undefined when one may. */
export function addressProblem(address: string): string | undefined {
  const kind = addressKind(address)
  const reason = kind && CLOSED[kind]
  return reason && `${address} ${reason}`
}
