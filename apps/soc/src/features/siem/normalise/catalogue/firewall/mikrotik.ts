import { addressOf } from '../../addresses.ts'
import type { ParseText } from '../../parsed.ts'
import { endpointOf } from '../../scan/endpoint.ts'
import { counted, endFields, natFields, transportOf } from '../../scan/traffic.ts'
import { bare, firstWord, following, within, wordAfter } from '../../scan/words.ts'
import { severityOf } from '../../severity.ts'
import type { TextFormat } from '../log-format.ts'

const TOPICS =
  /^((?:firewall|system|dhcp|interface|wireless|ppp|pptp|l2tp|sstp|ovpn|ipsec|hotspot|dns|script|route|caps|certificate|backup|account|bridge|ssh|radius|web-proxy|wireguard|manager|info|error|critical|warning|debug)(?:,[a-z0-9-]{1,24}){1,5}):? /

/** RouterOS: topics with commas between them, then what happened, as `firewall,info drop input: in:ether1 …`. */
const read: ParseText = (text) => {
  const [head, topics = ''] = TOPICS.exec(text) ?? []
  if (head === undefined) return undefined
  const body = text.slice(head.length)
  const isPacket = body.includes(' proto ') && body.includes('->')
  const packet = isPacket ? packetOf(body) : undefined
  const login = isPacket ? {} : loginOf(body)
  const list = topics.split(',')
  return {
    source: 'mikrotik',
    severity: severityOf(list.find((topic) => severityOf(topic) !== undefined)),
    event_code: topics,
    user: login.user,
    src_ip: packet?.src_ip ?? login.src_ip,
    dst_ip: packet?.dst_ip,
    fields: counted({
      'mikrotik.topics': list,
      ...packet?.fields,
      ...login.fields,
      ...leaseOf(body),
    }),
  }
}

/** `prefix forward: in:a out:b, src-mac m, proto TCP (SYN), 192.0.2.7:41000->198.51.100.2:22, NAT (…)->…, len 60` */
function packetOf(body: string) {
  const arrow = body.indexOf('->')
  const before = body.slice(0, arrow)
  const source = endpointOf(before.slice(before.lastIndexOf(' ') + 1))
  const destination = endpointOf(bare(firstWord(body.slice(arrow + 2))))
  const colon = body.indexOf(': ')
  const words = body.slice(0, colon).split(' ')
  const chain = words.pop()
  const prefix = words.join(' ')
  const [, action] = /\b(drop|reject|accept|block|deny|allow|pass|tarpit)/i.exec(prefix) ?? []
  const isDenied = action !== undefined && /^(?:drop|reject|block|deny|tarpit)/i.test(action)
  const nat = endpointOf(within(body, 'NAT (', '->'))
  return {
    src_ip: source.ip,
    dst_ip: destination.ip,
    fields: {
      ...endFields(source, destination),
      ...natFields('source', source, nat.ip ? nat : {}),
      'observer.ingress.interface.name': within(body, 'in:', ' '),
      'observer.egress.interface.name': following(body, ' out:', ','),
      'source.mac': following(body, 'src-mac ', ','),
      'network.transport': transportOf(bare(wordAfter(body, 'proto ') ?? '')),
      'network.bytes': wordAfter(body, ' len '),
      'mikrotik.chain': chain,
      'rule.name': prefix,
      'event.action': action?.toLowerCase(),
      'event.outcome': action && (isDenied ? 'failure' : 'success'),
    },
  }
}

/** `user admin logged in from 192.0.2.5 via winbox`, `login failure for user eve from … via ssh`. */
function loginOf(body: string) {
  const isFailure = body.startsWith('login failure for user ')
  const isIn = body.includes(' logged in')
  if (!isFailure && !isIn && !body.includes(' logged out')) return {}
  return {
    user: following(body, isFailure ? 'for user ' : 'user ', ' ') ?? firstWord(body),
    src_ip: addressOf(wordAfter(body, ' from ')),
    fields: {
      'event.action': isFailure || isIn ? 'login' : 'logout',
      'event.outcome': isFailure ? 'failure' : 'success',
      'auth.method': wordAfter(body, ' via '),
    },
  }
}

/** `dhcp1 assigned 192.0.2.40 to 00:00:5E:00:53:01`; newer ones say `for` and the name of the client. */
function leaseOf(body: string) {
  const address = addressOf(wordAfter(body, ' assigned ') ?? wordAfter(body, ' deassigned '))
  if (!address) return {}
  return {
    'event.action': body.includes(' deassigned ') ? 'dhcp_release' : 'dhcp_assign',
    'client.ip': address,
    'client.mac': wordAfter(body, ' to ') ?? wordAfter(body, ' for ') ?? wordAfter(body, ' from '),
  }
}

export const mikrotik: TextFormat = {
  id: 'firewall.mikrotik',
  title: 'MikroTik RouterOS',
  group: 'firewall',
  kind: 'text',
  ecs: 'network',
  ocsf: { class: 'network_activity', activity: { drop: 'refuse', accept: 'open', login: 'other' } },
  when: {
    starts: [
      'firewall,',
      'system,',
      'dhcp,',
      'interface,',
      'wireless,',
      'ppp,',
      'pptp,',
      'l2tp,',
      'sstp,',
      'ovpn,',
      'ipsec,',
      'hotspot,',
      'dns,',
      'script,',
      'wireguard,',
    ],
  },
  read,
  samples: [
    {
      event:
        '<134>Mar  3 10:00:00 mt1 firewall,info drop input: in:ether1 out:(unknown 0), connection-state:new src-mac 00:00:5e:00:53:01, proto TCP (SYN), 203.0.113.9:41000->198.51.100.2:22, len 60',
      expect: {
        source: 'mikrotik',
        host: 'mt1',
        src_ip: '203.0.113.9',
        dst_ip: '198.51.100.2',
        fields: {
          'source.port': 41000,
          'destination.port': 22,
          'network.transport': 'tcp',
          'event.action': 'drop',
          'event.outcome': 'failure',
          'observer.ingress.interface.name': 'ether1',
          'mikrotik.chain': 'input',
        },
      },
    },
    {
      event:
        'firewall,info forward: in:bridge out:ether1, src-mac 00:00:5e:00:53:01, proto UDP, 192.0.2.21:5353->203.0.113.80:53, NAT (192.0.2.21:5353->198.51.100.9:5353)->203.0.113.80:53, len 71',
      expect: { src_ip: '192.0.2.21', dst_ip: '203.0.113.80', fields: { 'destination.port': 53 } },
    },
    {
      event:
        '<27>Mar  3 10:00:00 mt1 system,error,critical login failure for user eve from 203.0.113.9 via ssh',
      expect: {
        user: 'eve',
        src_ip: '203.0.113.9',
        fields: { 'event.action': 'login', 'event.outcome': 'failure', 'auth.method': 'ssh' },
      },
    },
    {
      event: 'system,info,account user admin logged in from 192.0.2.5 via winbox',
      expect: { user: 'admin', src_ip: '192.0.2.5', fields: { 'event.outcome': 'success' } },
    },
    {
      event: 'dhcp,info dhcp1 assigned 192.0.2.40 to 00:00:5E:00:53:01',
      expect: { fields: { 'client.ip': '192.0.2.40', 'client.mac': '00:00:5E:00:53:01' } },
    },
  ],
}
