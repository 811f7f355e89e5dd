import { addressOf } from '../../addresses.ts'
import type { Parsed, ParseText } from '../../parsed.ts'
import { endpointOf } from '../../scan/endpoint.ts'
import { counted } from '../../scan/traffic.ts'
import type { TextFormat } from '../log-format.ts'

const QUERY = /^(?:query|dnssec-query)\[([A-Z0-9]{1,16}|type=\d{1,5})\]$/
const LEASE = /^DHCP([A-Z]{3,12})\(([\w.-]{1,32})\)$/
const BLOCKED =
  /^(?:gravity|exactly|regex|blacklist|special) (?:blocked|blacklisted|denied)$|^(?:blocked|config)$/

/** dnsmasq, which is also what writes Pi-hole's log: queries, answers, leases. */
const read: ParseText = (text) => {
  const words = text.split(' ', 12)
  // With more detail a number and the client stand first.
  const client = /^\d+$/.test(words[0] ?? '') ? endpointOf(words[1]) : {}
  if (client.ip) words.splice(0, 2)
  else if (/^\d+$/.test(words[0] ?? '')) words.shift()
  const parsed = readLease(words) ?? readName(words)
  if (!parsed) return undefined
  return { source: 'dnsmasq', ...parsed, src_ip: parsed.src_ip ?? client.ip }
}

/** `query[A] name from client`, `forwarded name to server`, `reply name is answer`, `gravity blocked name is …`. */
function readName(words: string[]): Parsed | undefined {
  const [first = ''] = words
  const [, type] = QUERY.exec(first) ?? []
  const isBlocked = BLOCKED.test(words.slice(0, 2).join(' ')) || BLOCKED.test(first)
  const at = words.findIndex((word) => word === 'from' || word === 'to' || word === 'is')
  if (at < 2) return undefined
  const isKnown =
    type ||
    isBlocked ||
    /^(?:forwarded|reply|cached|cached-stale|validation|rate-limited|\/.*|dnssec-retry)$/.test(
      first,
    )
  if (!isKnown) return undefined
  const value = words[at + 1]
  const relation = words[at]
  return {
    event_code: type,
    src_ip: relation === 'from' ? addressOf(value) : undefined,
    dst_ip: relation === 'to' ? endpointOf(value).ip : undefined,
    fields: counted({
      'dns.question.name': words[at - 1],
      'dns.question.type': type,
      'dns.answers.data': relation === 'is' ? words.slice(at + 1).join(' ') : undefined,
      'event.action': isBlocked ? 'blocked' : type ? 'query' : first,
      'event.outcome': isBlocked ? 'failure' : undefined,
      'network.protocol': 'dns',
    }),
  }
}

/** `DHCPACK(br0) 192.0.2.40 00:00:5e:00:53:01 laptop7`. */
function readLease(words: string[]): Parsed | undefined {
  const [, kind, network] = LEASE.exec(words[0] ?? '') ?? []
  if (!kind) return undefined
  const ip = addressOf(words[1])
  const rest = words.slice(ip ? 2 : 1)
  return {
    event_code: `DHCP${kind}`,
    src_ip: ip,
    fields: counted({
      'event.action': `dhcp_${kind.toLowerCase()}`,
      'client.ip': ip,
      'client.mac': rest[0],
      'client.domain': rest[1],
      'observer.ingress.interface.name': network,
      'event.outcome': kind === 'ACK' ? 'success' : kind === 'NAK' ? 'failure' : undefined,
      'network.protocol': 'dhcp',
    }),
  }
}

export const dnsmasq: TextFormat = {
  id: 'dns.dnsmasq',
  title: 'dnsmasq and Pi-hole',
  group: 'dns',
  kind: 'text',
  ecs: 'network',
  ocsf: {
    class: 'dns_activity',
    activity: { query: 'query', reply: 'response', cached: 'response' },
  },
  when: { programs: ['dnsmasq', 'dnsmasq-dhcp', 'pihole-ftl', 'pihole'], starts: ['query['] },
  read,
  samples: [
    {
      event: '<30>Mar  3 10:00:00 gw1 dnsmasq[4711]: query[A] www.example.net from 192.0.2.21',
      expect: {
        source: 'dnsmasq',
        host: 'gw1',
        process: 'dnsmasq',
        event_code: 'A',
        src_ip: '192.0.2.21',
        fields: { 'dns.question.name': 'www.example.net', 'dns.question.type': 'A' },
      },
    },
    {
      event: 'Mar  3 10:00:00 dnsmasq[4711]: gravity blocked bad.example.net is 0.0.0.0',
      expect: {
        fields: {
          'dns.question.name': 'bad.example.net',
          'event.action': 'blocked',
          'event.outcome': 'failure',
        },
      },
    },
    {
      event:
        '<30>Mar  3 10:00:00 gw1 dnsmasq[4711]: 77 192.0.2.21/53211 reply www.example.net is 203.0.113.80',
      expect: { src_ip: '192.0.2.21', fields: { 'dns.answers.data': '203.0.113.80' } },
    },
    {
      event: '<30>Mar  3 10:00:00 gw1 dnsmasq[4711]: forwarded www.example.net to 192.0.2.53',
      expect: { dst_ip: '192.0.2.53', fields: { 'event.action': 'forwarded' } },
    },
    {
      event:
        '<30>Mar  3 10:00:00 gw1 dnsmasq-dhcp[4711]: DHCPACK(br0) 192.0.2.40 00:00:5e:00:53:01 laptop7',
      expect: {
        event_code: 'DHCPACK',
        src_ip: '192.0.2.40',
        fields: { 'client.mac': '00:00:5e:00:53:01', 'client.domain': 'laptop7' },
      },
    },
  ],
}
