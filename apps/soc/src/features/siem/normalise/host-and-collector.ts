import type { Fields } from './fields.ts'
import type { NamedColumns } from './named-columns.ts'
import { cut, type Parsed, pick } from './parsed.ts'
import type { Common } from './take-common.ts'

/** The field that holds who forwarded an event. */
export const COLLECTOR = 'collector'

/**
 * Whom an event is about and who passed it on. Forwarders write their own name in a plain `host`, in
 * the metadata of HEC or in the header of syslog, so a name that only the machine itself can have
 * put there goes before all of these; isolating the collector in its place would silence everybody.
 */
export function hostsAmong(
  { known, peer }: { known?: Common | undefined; peer?: string | undefined },
  common: Common,
  fields: Fields,
  named: NamedColumns,
  parsed: Parsed | undefined,
): { host: string | null; collector: string | undefined } {
  const machine = parsed?.machine ?? pick(fields, named.machine)
  const said = known?.host ?? common.host
  const host = machine ?? said ?? pick(fields, named.host) ?? peer ?? parsed?.host
  const forwarder = said ?? pick(fields, named.forwarder)
  const isOther = machine !== undefined && forwarder !== undefined && !isSame(machine, forwarder)
  return {
    host: cut(host, 255) ?? null,
    collector: isOther && !isLoopback(forwarder) ? cut(forwarder, 255) : undefined,
  }
}

/** `WS5` is `ws5.corp.example`: senders differ in how much of the name they write. */
function isSame(one: string, other: string): boolean {
  const [short = '', long = ''] = [one.toLowerCase(), other.toLowerCase()].toSorted(
    (a, b) => a.length - b.length,
  )
  return short === long || long.startsWith(`${short}.`)
}

const isLoopback = (name: string) => /^(localhost|127\.|::1$)/i.test(name)
