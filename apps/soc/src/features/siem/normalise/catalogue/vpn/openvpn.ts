import type { ParseText } from '../../parsed.ts'
import { type Endpoint, endpointOf } from '../../scan/endpoint.ts'
import { counted } from '../../scan/traffic.ts'
import { bare, within, wordAfter } from '../../scan/words.ts'
import { momentOf } from '../../timestamps.ts'
import type { TextFormat } from '../log-format.ts'

const TIME =
  /^(?:(\d{4}-\d\d-\d\d \d\d:\d\d:\d\d)|[A-Z][a-z]{2} ([A-Z][a-z]{2} +\d{1,2} \d\d:\d\d:\d\d \d{4}))(?: us=\d{1,6})? /

/** OpenVPN: the client, or its name and address, stands before what is said about it. */
const read: ParseText = (text, { receivedAt, process = '' }) => {
  const [head = '', iso, named] = TIME.exec(text) ?? []
  const body = text.slice(head.length)
  const { client, user } = peerIn(body)
  const isKnown =
    client.ip !== undefined ||
    body.includes('[AF_INET') ||
    within(body, "user '", "'") !== undefined
  if (!isKnown && !/openvpn|ovpn/i.test(process)) return undefined
  const link = endpointOf(addressAfterFamily(body))
  const isFailed =
    /AUTH_FAILED|TLS Error|could not authenticate|verification failed|VERIFY ERROR|authentication failed/i.test(
      body,
    )
  const isIn = /authentication succeeded|Peer Connection Initiated|' authenticated/.test(body)
  const assigned = wordAfter(body, 'IPv4=') ?? wordAfter(body, 'MULTI: Learn: ')
  return {
    source: 'openvpn',
    at: momentOf(iso ?? named, receivedAt),
    severity: isFailed ? 'medium' : undefined,
    process: 'openvpn',
    user:
      user ?? within(body, "username '", "'") ?? within(body, "user '", "'") ?? commonName(body),
    src_ip: client.ip ?? link.ip,
    fields: counted({
      'source.port': client.port ?? link.port,
      'client.nat.ip': endpointOf(assigned).ip,
      'event.action':
        isIn || isFailed ? 'login' : body.includes('SIGTERM') ? 'disconnect' : undefined,
      'event.outcome': isFailed ? 'failure' : isIn ? 'success' : undefined,
    }),
  }
}

/** `203.0.113.9:41000 …` or `mona/203.0.113.9:41000 …`, and `[mona] Peer Connection Initiated …`. */
function peerIn(body: string): { client: Endpoint; user?: string | undefined } {
  const [first = ''] = body.split(' ', 1)
  const slash = first.indexOf('/')
  const client = endpointOf(slash > 0 ? first.slice(slash + 1) : first)
  if (!client.ip) return { client: {} }
  const named = within(body, ' [', '] Peer Connection Initiated')
  return { client, user: slash > 0 ? first.slice(0, slash) : named }
}

/** `[AF_INET]203.0.113.9:41000` */
function addressAfterFamily(body: string): string | undefined {
  const after = wordAfter(body, '[AF_INET]') ?? wordAfter(body, '[AF_INET6]')
  return after && bare(after)
}

const commonName = (body: string) =>
  body.includes('VERIFY OK: depth=0') ? wordAfter(body, 'CN=')?.split(',', 1)[0] : undefined

export const openvpn: TextFormat = {
  id: 'vpn.openvpn',
  title: 'OpenVPN',
  group: 'vpn',
  kind: 'text',
  ecs: 'network',
  ocsf: { class: 'tunnel_activity', activity: { login: 'open', disconnect: 'close' } },
  when: {
    programs: ['openvpn', 'ovpn-server', 'ovpn-client', 'openvpn-server'],
    marks: [
      '[AF_INET',
      ' MULTI: ',
      'AUTH_FAILED',
      ' TLS Error: ',
      'MULTI_sva: ',
      ' VERIFY OK: depth=',
    ],
  },
  read,
  samples: [
    {
      event:
        '<29>Mar  3 10:00:00 vpn1 openvpn[4711]: 203.0.113.20:41000 [mona] Peer Connection Initiated with [AF_INET]203.0.113.20:41000',
      expect: {
        source: 'openvpn',
        host: 'vpn1',
        process: 'openvpn',
        user: 'mona',
        src_ip: '203.0.113.20',
        fields: { 'source.port': 41000, 'event.action': 'login', 'event.outcome': 'success' },
      },
    },
    {
      event:
        '2026-03-03 10:00:00 mona/203.0.113.20:41000 MULTI_sva: pool returned IPv4=192.0.2.99, IPv6=(Not enabled)',
      expect: {
        at: '2026-03-03T10:00:00.000Z',
        user: 'mona',
        src_ip: '203.0.113.20',
        fields: { 'client.nat.ip': '192.0.2.99' },
      },
    },
    {
      event:
        '<27>Mar  3 10:00:00 vpn1 openvpn[4711]: TLS Error: cannot locate HMAC in incoming packet from [AF_INET]203.0.113.9:34745',
      expect: { src_ip: '203.0.113.9', fields: { 'event.outcome': 'failure' } },
    },
    {
      event: "<36>Mar  3 10:00:00 vpn1 openvpn[4711]: user 'eve' could not authenticate.",
      expect: { user: 'eve', fields: { 'event.outcome': 'failure' } },
    },
  ],
}
