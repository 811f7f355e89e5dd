import { addressOf } from '../../addresses.ts'
import type { ParseText } from '../../parsed.ts'
import { separated } from '../../scan/separated.ts'
import { counted, transportOf, verdictOf } from '../../scan/traffic.ts'
import type { TextFormat } from '../log-format.ts'

const LEAST_COLUMNS = 18

/**
 * pf's log as pfSense and OPNsense write it: rule, sub rule, anchor, tracker, interface, reason,
 * action, direction and version, then the columns of IPv4 or IPv6, then those of the protocol.
 */
const read: ParseText = (text) => {
  const values = separated(text)
  const [rule, , anchor, tracker, network, reason, action, direction, version] = values
  const isWhole = values.length >= LEAST_COLUMNS && /^\d*$/.test(rule ?? '')
  if (!isWhole || !/^(?:in|out)$/.test(direction ?? '') || !/^[46]$/.test(version ?? ''))
    return undefined
  const at = version === '4' ? { protocol: 16, src: 18 } : { protocol: 12, src: 15 }
  const protocol = values[at.protocol]?.toLowerCase()
  const hasPorts = protocol === 'tcp' || protocol === 'udp'
  return {
    source: 'pfsense',
    event_code: tracker && tracker !== '0' ? tracker : rule,
    src_ip: addressOf(values[at.src]),
    dst_ip: addressOf(values[at.src + 1]),
    fields: counted({
      'source.port': hasPorts ? values[at.src + 2] : undefined,
      'destination.port': hasPorts ? values[at.src + 3] : undefined,
      'network.transport': transportOf(protocol),
      'network.direction': direction === 'in' ? 'inbound' : 'outbound',
      'network.type': version === '4' ? 'ipv4' : 'ipv6',
      'network.bytes': values[at.src - 1],
      'observer.ingress.interface.name': network,
      'rule.id': rule,
      'rule.uuid': tracker,
      'rule.ruleset': anchor,
      'event.action': action,
      'event.reason': reason,
      ...verdictOf(action),
      'tcp.flags': protocol === 'tcp' ? values[at.src + 5] : undefined,
    }),
  }
}

export const filterlog: TextFormat = {
  id: 'firewall.filterlog',
  title: 'pfSense and OPNsense (filterlog)',
  group: 'firewall',
  kind: 'text',
  ecs: 'network',
  ocsf: {
    class: 'network_activity',
    activity: { pass: 'open', block: 'refuse', reject: 'refuse' },
  },
  when: { programs: ['filterlog'], marks: [',match,block,', ',match,pass,', ',match,reject,'] },
  read,
  samples: [
    {
      event:
        '<134>Mar  3 10:00:00 pf1 filterlog[4711]: 146,,,1535324496,igb1,match,block,in,4,0x0,,63,12617,0,DF,6,tcp,60,192.0.2.7,198.51.100.2,49724,853,0,S,1891286705,,64240,,mss;sackOK;TS;nop;wscale',
      expect: {
        source: 'pfsense',
        host: 'pf1',
        process: 'filterlog',
        event_code: '1535324496',
        src_ip: '192.0.2.7',
        dst_ip: '198.51.100.2',
        fields: {
          'source.port': 49724,
          'destination.port': 853,
          'network.transport': 'tcp',
          'network.direction': 'inbound',
          'event.action': 'block',
          'event.outcome': 'failure',
          'observer.ingress.interface.name': 'igb1',
        },
      },
    },
    {
      event:
        '<134>1 2026-03-03T10:00:00.578288+00:00 opn1.example.net filterlog 4711 - [meta sequenceId="1"] 6,,,1000000105,vtnet0,match,pass,in,6,0x00,0xf6279,1,UDP,17,32,fe80::1,ff02::1:2,546,547,32',
      expect: {
        at: '2026-03-03T10:00:00.578Z',
        host: 'opn1.example.net',
        src_ip: 'fe80::1',
        dst_ip: 'ff02::1:2',
        fields: { 'source.port': 546, 'destination.port': 547, 'event.outcome': 'success' },
      },
    },
    {
      event:
        'Mar  3 10:00:00 filterlog[4711]: 176,,,1520797901,igb1,match,pass,out,4,0x0,,64,62096,0,DF,1,icmp,84,192.0.2.30,203.0.113.105,request,37728,164',
      expect: {
        dst_ip: '203.0.113.105',
        fields: { 'network.transport': 'icmp', 'network.direction': 'outbound' },
      },
    },
  ],
}
