import type { FieldValue } from '@manara/log-query/event'
import { addressOf } from '../addresses.ts'
import type { Fields } from '../fields.ts'
import type { Endpoint } from './endpoint.ts'
import { keptFields, numberIn } from './kept-fields.ts'

type Value = FieldValue | undefined

// What these hold is counted and compared, so it is stored as a number.
const NUMBERS = /(?:\.(?:port|bytes|packets|pid|count|size|duration)|status_code)$/

/** What the sender filled in, with ports, sizes and states as numbers. */
export const counted = (found: Record<string, Value>): Fields => withNumbers(keptFields(found))

export function withNumbers(fields: Fields): Fields {
  for (const name in fields) {
    const value = fields[name]
    if (typeof value === 'string' && NUMBERS.test(name)) fields[name] = numberIn(value) ?? value
  }
  return fields
}

/** Where both ends of a connection stand among the fields. */
export const endFields = (source: Endpoint, destination: Endpoint): Record<string, Value> => ({
  'source.port': source.port,
  'source.domain': source.domain,
  'destination.port': destination.port,
  'destination.domain': destination.domain,
  'observer.ingress.interface.name': source.zone,
  'observer.egress.interface.name': destination.zone,
})

/** An address after translation, where it is another than before. */
export function natFields(
  side: 'source' | 'destination',
  before: { ip?: string | undefined; port?: string | number | undefined },
  nat: { ip?: string | undefined; port?: string | number | undefined },
): Record<string, Value> {
  const ip = addressOf(nat.ip)
  if (!ip || ip === '0.0.0.0' || ip === '::') return {}
  const port = Number(nat.port) > 0 ? nat.port : undefined
  const isSame = ip === before.ip && (port === undefined || Number(port) === Number(before.port))
  return isSame ? {} : { [`${side}.nat.ip`]: ip, [`${side}.nat.port`]: port }
}

const ALLOWED =
  /^(?:accept|allow|permit|pass|est-allowed|built|start|close|timeout|client-rst|server-rst|ip-conn|trust|bypass|proxied|monitor|alert|detect|a$)/
const DENIED =
  /^(?:deny|denied|drop|block|reject|reset|prevent|sinkhole|refuse|discard|block-|violation|d$|r$)/

/** Whether a word of a device that lets traffic through says that it did. */
export function verdictOf(word: string | undefined): Record<string, Value> {
  const lower = word?.toLowerCase() ?? ''
  if (DENIED.test(lower)) return { 'event.type': 'denied', 'event.outcome': 'failure' }
  if (ALLOWED.test(lower)) return { 'event.type': 'allowed', 'event.outcome': 'success' }
  return {}
}

const PROTOCOLS: ReadonlyMap<string, string> = new Map([
  ['1', 'icmp'],
  ['2', 'igmp'],
  ['6', 'tcp'],
  ['17', 'udp'],
  ['41', 'ipv6'],
  ['47', 'gre'],
  ['50', 'esp'],
  ['51', 'ah'],
  ['58', 'ipv6-icmp'],
  ['89', 'ospf'],
  ['103', 'pim'],
  ['112', 'vrrp'],
  ['132', 'sctp'],
])

/** `6` and `TCP` are `tcp`. */
export function transportOf(protocol: string | undefined): string | undefined {
  if (!protocol || protocol === '-') return undefined
  return PROTOCOLS.get(protocol) ?? protocol.toLowerCase()
}

/** Pairs under the sender's names and, where there is one, under that of ECS too. */
export function renamed(
  pairs: Readonly<Record<string, string>>,
  names: Readonly<Record<string, string>>,
): Record<string, Value> {
  const found: Record<string, Value> = {}
  for (const name in pairs) {
    const value = pairs[name]
    found[name] = value
    const ecs = Object.hasOwn(names, name) ? names[name] : undefined
    if (ecs !== undefined && value && value !== '-') found[ecs] ??= value
  }
  return found
}
