import { addressOf } from '../../addresses.ts'
import type { Parsed } from '../../parsed.ts'
import { counted, transportOf, verdictOf } from '../../scan/traffic.ts'

const EVENT_NAMES: Record<string, string> = {
  SrcPort: 'source.port',
  DstPort: 'destination.port',
  Protocol: 'network.transport',
  AccessControlRuleAction: 'event.action',
  AccessControlRuleName: 'rule.name',
  InlineResult: 'event.action',
  Message: 'rule.name',
  IngressInterface: 'observer.ingress.interface.name',
  EgressInterface: 'observer.egress.interface.name',
  IngressZone: 'observer.ingress.zone',
  EgressZone: 'observer.egress.zone',
  InitiatorBytes: 'source.bytes',
  ResponderBytes: 'destination.bytes',
  URL: 'url.original',
  DNSQuery: 'dns.question.name',
  FileName: 'file.name',
  FileSHA256: 'file.hash.sha256',
  ApplicationProtocol: 'network.protocol',
  HTTPResponse: 'http.response.status_code',
  UserAgent: 'user_agent.original',
}

/** Firepower's own events: `SrcIP: 192.0.2.7, DstIP: …, AccessControlRuleAction: Block`. */
export function readEvent(body: string): Parsed {
  const found: Record<string, string> = {}
  const ecs: Record<string, string> = {}
  for (const pair of body.split(', ', 200)) {
    const colon = pair.indexOf(': ')
    if (colon < 1 || colon > 64) continue
    const name = pair.slice(0, colon).trim()
    const value = pair.slice(colon + 2)
    found[name] = value
    const known = Object.hasOwn(EVENT_NAMES, name) ? EVENT_NAMES[name] : undefined
    if (known) ecs[known] ??= name === 'Protocol' ? (transportOf(value) ?? value) : value
  }
  const user = found.User
  return {
    user: user === 'No Authentication Required' || user === 'Unknown' ? undefined : user,
    src_ip: addressOf(found.SrcIP),
    dst_ip: addressOf(found.DstIP),
    fields: counted({ ...found, ...ecs, ...verdictOf(ecs['event.action']) }),
  }
}
