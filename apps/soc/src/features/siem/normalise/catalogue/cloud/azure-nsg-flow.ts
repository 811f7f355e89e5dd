import { addressOf } from '../../addresses.ts'
import type { Fields } from '../../fields.ts'
import { type ParseObject, textOf } from '../../parsed.ts'
import { counted, transportOf } from '../../scan/traffic.ts'
import { momentOf } from '../../timestamps.ts'
import type { ObjectFormat } from '../log-format.ts'

const PLACES = [
  'properties.flows.flows.flowTuples',
  'records.properties.flows.flows.flowTuples',
  'flowRecords.flows.flowGroups.flowTuples',
  'records.flowRecords.flows.flowGroups.flowTuples',
]
const PROTOCOLS = new Map([
  ['T', 'tcp'],
  ['U', 'udp'],
])

/**
 * Network watcher's records hold many flows, `time,source,destination,port,port,T,I,D,…`: the first
 * one that was refused, else the first, is what the columns say; all stay among the fields.
 */
const read: ParseObject = (fields, { receivedAt }) => {
  const place = PLACES.find((name) => Object.hasOwn(fields, name))
  const tuples = place ? listOf(fields, place) : []
  const refused = tuples.find((tuple) => isDenied(tuple.split(',', 20)))
  const [time, src, dst, sport, dport, protocol = '', direction, decision, state, ...counts] = (
    refused ??
    tuples[0] ??
    ''
  ).split(',', 20)
  if (!addressOf(src)) return undefined
  // Virtual networks' logs have the state where security groups' have the decision.
  const isAllowed = decision === 'A' || decision === 'B' || decision === 'C' || decision === 'E'
  const [, sent, , received] = /^\d*$/.test(state ?? '') ? [state, ...counts] : counts
  return {
    source: 'azure_nsg_flow',
    at: momentOf(time, receivedAt),
    event_code: textOf(fields.category) ?? textOf(fields['records.category']),
    src_ip: addressOf(src),
    dst_ip: addressOf(dst),
    fields: counted({
      'source.port': sport,
      'destination.port': dport,
      'network.transport': PROTOCOLS.get(protocol) ?? transportOf(protocol),
      'network.direction': direction === 'I' ? 'inbound' : 'outbound',
      'source.bytes': sent,
      'destination.bytes': received,
      'rule.name': textOf(
        fields['properties.flows.rule'] ?? fields['records.properties.flows.rule'],
      ),
      'event.action': isAllowed ? 'allow' : 'deny',
      'event.type': isAllowed ? 'allowed' : 'denied',
      'event.outcome': isAllowed ? 'success' : 'failure',
      'event.count': tuples.length,
    }),
  }
}

const isDenied = (values: string[]) => values[7] === 'D'

const listOf = (fields: Fields, name: string): string[] =>
  [fields[name]].flat().filter((value): value is string => typeof value === 'string')

export const azureNsgFlow: ObjectFormat = {
  id: 'cloud.azure_nsg_flow',
  title: 'Azure flow logs of security groups and virtual networks',
  group: 'cloud',
  kind: 'object',
  ecs: 'network',
  ocsf: { class: 'network_activity', activity: { allow: 'traffic', deny: 'refuse' } },
  when: { names: PLACES.map((place) => [place]) },
  read,
  samples: [
    {
      event: {
        time: '2026-03-03T10:01:00.0000000Z',
        systemId: '2c002c16',
        category: 'NetworkSecurityGroupFlowEvent',
        resourceId: '/SUBSCRIPTIONS/X/NETWORKSECURITYGROUPS/WEB-NSG',
        operationName: 'NetworkSecurityGroupFlowEvents',
        properties: {
          Version: 2,
          flows: [
            {
              rule: 'DefaultRule_DenyAllInBound',
              flows: [
                {
                  mac: '00005E005301',
                  flowTuples: ['1772532000,203.0.113.9,192.0.2.80,41000,23,T,I,D,B,,,,'],
                },
              ],
            },
          ],
        },
      },
      expect: {
        source: 'azure_nsg_flow',
        event_code: 'NetworkSecurityGroupFlowEvent',
        src_ip: '203.0.113.9',
        dst_ip: '192.0.2.80',
        fields: {
          'source.port': 41000,
          'destination.port': 23,
          'network.transport': 'tcp',
          'event.outcome': 'failure',
          'rule.name': 'DefaultRule_DenyAllInBound',
        },
      },
    },
  ],
}
