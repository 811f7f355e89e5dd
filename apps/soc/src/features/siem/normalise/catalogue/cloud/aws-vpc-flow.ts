import { addressOf } from '../../addresses.ts'
import type { ParseText } from '../../parsed.ts'
import { counted, transportOf, verdictOf } from '../../scan/traffic.ts'
import { momentOf } from '../../timestamps.ts'
import type { TextFormat } from '../log-format.ts'

/** `2 account eni-… source destination port port protocol packets bytes start end ACCEPT OK`. */
const read: ParseText = (text, { receivedAt }) => {
  const values = text.split(' ', 60)
  const [
    version = '',
    account,
    eni = '',
    src,
    dst,
    sport,
    dport,
    protocol,
    packets,
    bytes,
    start,
    end,
  ] = values
  const [action, status] = values.slice(12)
  if (!/^\d$/.test(version) || !eni.startsWith('eni-') || status === undefined) return undefined
  return {
    source: 'aws_vpc_flow',
    at: momentOf(start, receivedAt),
    event_code: action === '-' ? status : action,
    src_ip: addressOf(src),
    dst_ip: addressOf(dst),
    fields: counted({
      'source.port': sport,
      'destination.port': dport,
      'network.transport': transportOf(protocol),
      'network.packets': packets,
      'network.bytes': bytes,
      'event.end': end,
      'event.action': action?.toLowerCase(),
      ...verdictOf(action),
      'aws.interface': eni,
      'cloud.account.id': account,
      'aws.vpc_flow.status': status,
    }),
  }
}

export const awsVpcFlow: TextFormat = {
  id: 'cloud.aws_vpc_flow',
  title: 'AWS VPC flow log',
  group: 'cloud',
  kind: 'text',
  ecs: 'network',
  ocsf: { class: 'network_activity', activity: { accept: 'traffic', reject: 'refuse' } },
  when: { marks: [' eni-'] },
  read,
  samples: [
    {
      event:
        '2 123456789012 eni-0a1b2c3d4e5f60718 203.0.113.9 192.0.2.80 41000 22 6 20 4249 1772532000 1772532060 REJECT OK',
      expect: {
        at: '2026-03-03T10:00:00.000Z',
        source: 'aws_vpc_flow',
        event_code: 'REJECT',
        src_ip: '203.0.113.9',
        dst_ip: '192.0.2.80',
        fields: {
          'source.port': 41000,
          'destination.port': 22,
          'network.transport': 'tcp',
          'network.bytes': 4249,
          'event.outcome': 'failure',
        },
      },
    },
  ],
}
