import { addressOf } from '../../addresses.ts'
import type { Parsed, ParseText } from '../../parsed.ts'
import { urlFields } from '../../scan/request.ts'
import { separated } from '../../scan/separated.ts'
import { counted, transportOf, verdictOf } from '../../scan/traffic.ts'
import { momentOf } from '../../timestamps.ts'
import type { TextFormat } from '../log-format.ts'

const DATE = /^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d$/
const QUERY = /^(\d{1,5}) \(([A-Z0-9-]{1,16})\)$/
const ACTION = /^(?:allowed|blocked|proxied)$/i

/** Cisco Umbrella's exports: lines of CSV for DNS, the web proxy, the firewall and addresses. */
const read: ParseText = (text, { receivedAt }) => {
  const values = separated(text.replaceAll('", "', '","'))
  if (!DATE.test(values[0] ?? '')) return undefined
  const parsed = readDns(values) ?? readProxy(values) ?? readFirewall(values)
  return parsed && { source: 'umbrella', at: momentOf(values[0], receivedAt), ...parsed }
}

function readDns(values: string[]): Parsed | undefined {
  const [, identity = '', identities, inner, outer, action = '', query = '', code, domain = ''] =
    values
  const [, , type] = QUERY.exec(query) ?? []
  if (!type || !ACTION.test(action)) return undefined
  return {
    user: userOf(identity, values[11]),
    event_code: type,
    src_ip: addressOf(inner) ?? addressOf(outer),
    fields: counted({
      'dns.question.name': domain.endsWith('.') ? domain.slice(0, -1) : domain,
      'dns.question.type': type,
      'dns.response_code': code,
      'source.nat.ip': outer,
      'umbrella.identity': identity,
      'umbrella.identities': identities,
      'umbrella.categories': values[9],
      'rule.name': values[10],
      'event.action': action.toLowerCase(),
      ...verdictOf(action),
    }),
  }
}

function readProxy(values: string[]): Parsed | undefined {
  const [, identity = '', inner, outer, server, type, action = '', url = ''] = values
  const [referer, agent, status, sent, received, , digest, categories] = values.slice(8)
  if (!ACTION.test(action) || !url.includes('://')) return undefined
  return {
    user: userOf(identity, values[21]),
    event_code: status || undefined,
    src_ip: addressOf(inner) ?? addressOf(outer),
    dst_ip: addressOf(server),
    fields: counted({
      ...urlFields(url),
      'source.nat.ip': outer,
      'http.request.method': values[25],
      'http.request.referrer': referer,
      'http.response.status_code': status,
      'http.request.bytes': sent,
      'http.response.bytes': received,
      'http.response.mime_type': type,
      'user_agent.original': agent?.trim(),
      'file.hash.sha256': digest,
      'umbrella.identity': identity,
      'umbrella.categories': categories,
      'event.action': action.toLowerCase(),
      ...verdictOf(action),
    }),
  }
}

function readFirewall(values: string[]): Parsed | undefined {
  const [, , identity, , direction = '', protocol, bytes, src, sport, dst, dport, , rule, action] =
    values
  if (!/^(?:IN|OUT)BOUND$/.test(direction)) return undefined
  return {
    event_code: rule || undefined,
    src_ip: addressOf(src),
    dst_ip: addressOf(dst),
    fields: counted({
      'source.port': sport,
      'destination.port': dport,
      'network.transport': transportOf(protocol),
      'network.bytes': bytes,
      'network.direction': direction.toLowerCase(),
      'umbrella.identity': identity,
      'rule.id': rule,
      'event.action': action?.toLowerCase(),
      ...verdictOf(action),
    }),
  }
}

/** What asked is a person only for some kinds of identity: `Lisa, Mona (mona@example.net)`. */
function userOf(identity: string, types: string | undefined): string | undefined {
  const open = identity.endsWith(')') ? identity.lastIndexOf('(') : -1
  if (open >= 0) return identity.slice(open + 1, -1)
  return types?.startsWith('AD Users') ? identity : undefined
}

export const umbrella: TextFormat = {
  id: 'proxy.umbrella',
  title: 'Cisco Umbrella (DNS, proxy, firewall)',
  group: 'proxy',
  kind: 'text',
  ecs: 'network',
  ocsf: { class: 'dns_activity', activity: { allowed: 'query', blocked: 'query' } },
  when: {
    marks: [
      '"Allowed","',
      '"Blocked","',
      '"ALLOWED","',
      '"BLOCKED","',
      '"Proxied","',
      ',OUTBOUND,',
      ',INBOUND,',
      '"OUTBOUND"',
      '"INBOUND"',
    ],
  },
  read,
  samples: [
    {
      event:
        '"2026-03-03 10:00:00","Lisa, Mona (mona@example.net)","Lisa, Mona (mona@example.net),LAPTOP7","192.0.2.21","198.51.100.9","Blocked","1 (A)","NOERROR","bad.example.net.","Malware","AD Users","AD Users,Roaming Computers","Malware"',
      expect: {
        at: '2026-03-03T10:00:00.000Z',
        source: 'umbrella',
        user: 'mona@example.net',
        src_ip: '192.0.2.21',
        fields: {
          'dns.question.name': 'bad.example.net',
          'dns.question.type': 'A',
          'source.nat.ip': '198.51.100.9',
          'event.action': 'blocked',
          'event.outcome': 'failure',
        },
      },
    },
    {
      event:
        '"2026-03-03 10:00:00","LAPTOP7","192.0.2.21","198.51.100.9", "203.0.113.80","text/html","ALLOWED","http://www.example.net/a.js","www.example.net","curl/8.0","200","562","1489","","","Search Engines","","","","","","Roaming Computers","","LAPTOP7","Roaming Computers","GET"',
      expect: {
        src_ip: '192.0.2.21',
        dst_ip: '203.0.113.80',
        fields: {
          'url.original': 'http://www.example.net/a.js',
          'http.response.status_code': 200,
          'http.request.method': 'GET',
          'event.outcome': 'success',
        },
      },
    },
    {
      event:
        '2026-03-03 10:00:00,[211039844],Passive Monitor,CDFW Tunnel Device,OUTBOUND,6,84,192.0.2.21,50123,203.0.113.80,443,ams1.edc,12,BLOCK',
      expect: {
        dst_ip: '203.0.113.80',
        fields: { 'destination.port': 443, 'event.outcome': 'failure' },
      },
    },
  ],
}
