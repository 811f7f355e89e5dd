import { addressOf } from '../../addresses.ts'
import type { ParseText } from '../../parsed.ts'
import { counted, transportOf, verdictOf } from '../../scan/traffic.ts'
import { momentOf } from '../../timestamps.ts'
import type { TextFormat } from '../log-format.ts'

/** The columns of version 2, which a flow log has unless somebody chose others. */
const DEFAULT =
  'version account-id interface-id srcaddr dstaddr srcport dstport protocol packets bytes start end action log-status'.split(
    ' ',
  )
const KNOWN = new Set(
  [
    ...DEFAULT,
    'vpc-id subnet-id instance-id tcp-flags type pkt-srcaddr pkt-dstaddr region az-id',
    'sublocation-type sublocation-id pkt-src-aws-service pkt-dst-aws-service flow-direction traffic-path',
  ].flatMap((names) => names.split(' ')),
)
const REMEMBERED = 'aws.vpc_flow'

/**
 * `2 account eni-… source destination port port protocol packets bytes start end ACCEPT OK`, or what
 * the first line of the file says, where columns were chosen.
 */
const read: ParseText = (text, { receivedAt, memory }) => {
  const values = text.split(' ', 60)
  if (values.length > 3 && values.every((value) => KNOWN.has(value))) {
    memory?.set(REMEMBERED, values)
    return { source: 'aws_vpc_flow', fields: { 'event.action': 'header' } }
  }
  const chosen = memory?.get(REMEMBERED) as string[] | undefined
  const names = chosen ?? DEFAULT
  const of = Object.fromEntries(names.map((name, at) => [name, values[at]]))
  const status = of['log-status']
  const eni = of['interface-id'] ?? ''
  if (chosen ? values.length !== chosen.length : !/^\d$/.test(of.version ?? '')) return undefined
  if (!chosen && (!eni.startsWith('eni-') || status === undefined)) return undefined
  if (!values.some((value) => value.startsWith('eni-'))) return undefined
  const { action } = of
  return {
    source: 'aws_vpc_flow',
    at: momentOf(of.start, receivedAt),
    event_code: action === '-' ? status : action,
    src_ip: addressOf(of.srcaddr ?? of['pkt-srcaddr']),
    dst_ip: addressOf(of.dstaddr ?? of['pkt-dstaddr']),
    fields: counted({
      'source.port': of.srcport,
      'destination.port': of.dstport,
      'network.transport': transportOf(of.protocol),
      'network.packets': of.packets,
      'network.bytes': of.bytes,
      'network.direction': of['flow-direction'],
      'event.end': of.end,
      'event.action': action?.toLowerCase(),
      ...verdictOf(action),
      'aws.interface': eni,
      'aws.vpc.id': of['vpc-id'],
      'aws.subnet.id': of['subnet-id'],
      'cloud.instance.id': of['instance-id'],
      'cloud.region': of.region,
      'cloud.account.id': of['account-id'],
      'aws.vpc_flow.status': status,
    }),
  }
}

export const awsVpcFlow: TextFormat = {
  id: 'cloud.aws_vpc_flow',
  title: 'AWS VPC flow log',
  group: 'cloud',
  kind: 'text',
  remembers: true,
  ecs: 'network',
  ocsf: { class: 'network_activity', activity: { accept: 'traffic', reject: 'refuse' } },
  when: { marks: [' eni-', 'interface-id '], starts: ['eni-', 'version account-id'] },
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
