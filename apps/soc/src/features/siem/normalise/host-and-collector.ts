import { NAMES } from './common-names.ts'
import { type Fields, flatten, type JsonMap } from './fields.ts'
import type { NamedColumns } from './named-columns.ts'
import { cut, type Parsed, pick } from './parsed.ts'
import { type Common, shortText } from './take-common.ts'

type Said = {
  known?: Common | undefined
  peer?: string | undefined
  isVouched?: boolean | undefined
}

/**
 * Whom an event is about and who passed it on. Forwarders write their own name in a plain `host`, in
 * the metadata of HEC or in the header of syslog, so a name that only the machine itself can have
 * put there goes before all of these; isolating the collector in its place would silence everybody.
 * Where a message was opened, `sender` is what was around it: nobody else says who forwarded it.
 */
export function hostsAmong(
  { known, peer, isVouched }: Said,
  sender: JsonMap | undefined,
  common: Common,
  fields: Fields,
  named: NamedColumns,
  parsed: Parsed | undefined,
): { host: string | null; collector: string | undefined; written: string | undefined } {
  const none = { collector: undefined, written: undefined }
  if (isVouched) return { host: cut(known?.host, 255) ?? null, ...none }
  const machine = parsed?.machine ?? pick(fields, named.machine)
  const said = known?.host ?? common.host
  const host = machine ?? said ?? pick(fields, named.host) ?? peer ?? parsed?.host
  const forwarder = said ?? pick(fields, named.forwarder)
  const other = otherThan(machine, forwarder)
  const isWritten = other !== undefined && sender !== undefined
  return {
    host: cut(host, 255) ?? null,
    collector: isWritten ? otherThan(machine, known?.host ?? hostOf(sender)) : other,
    written: isWritten && other !== known?.host ? other : undefined,
  }
}

function otherThan(machine: string | undefined, forwarder: string | undefined) {
  if (machine === undefined || forwarder === undefined) return undefined
  return isSame(machine, forwarder) || isLoopback(forwarder) ? undefined : cut(forwarder, 255)
}

const hostOf = (sender: JsonMap) =>
  shortText(sender.host, 255) ?? pick(flatten(sender).fields, NAMES.forwarder)

/** `WS5` is `ws5.corp.example`: senders differ in how much of the name they write. */
function isSame(one: string, other: string): boolean {
  const [short = '', long = ''] = [one.toLowerCase(), other.toLowerCase()].toSorted(
    (a, b) => a.length - b.length,
  )
  return short === long || long.startsWith(`${short}.`)
}

const isLoopback = (name: string) => /^(localhost|127\.|::1$)/i.test(name)
