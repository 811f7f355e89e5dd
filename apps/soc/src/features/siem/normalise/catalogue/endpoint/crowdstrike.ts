import { addressOf } from '../../addresses.ts'
import { type ParseObject, textOf } from '../../parsed.ts'
import { numberIn } from '../../scan/kept-fields.ts'
import { severityOf } from '../../severity.ts'
import { type Of, outcomeIn, readPlaces } from '../cloud/cloud-event.ts'
import type { ObjectFormat } from '../log-format.ts'
import { kindOf } from './falcon-names.ts'

const NUMBERS = ['info', 'info', 'low', 'medium', 'high', 'critical'] as const

/** By name, or from 1 to 5. */
function falconSeverity(of: Of) {
  const named = severityOf(of('event.SeverityName', 'SeverityName'))
  return named ?? NUMBERS[Number(of('event.Severity') ?? -1)]
}

/** LogScale writes a # before the names that it sorts events by. */
const SENSOR = ['event_simpleName', '#event_simpleName']

const PLATFORMS = new Map([
  ['Win', 'windows'],
  ['Lin', 'linux'],
  ['Mac', 'macos'],
])

/** What the sensor saw, under Sysmon's names; by its category rules for Windows find it. */
function sensorNames(of: Of) {
  const platform = PLATFORMS.get(of('event_platform') ?? '')
  const kind = kindOf(of(...SENSOR))
  const names = kind?.names(of)
  return {
    ...names,
    'source.port': numberIn(names?.SourcePort ?? of('LocalPort')),
    'destination.port': numberIn(names?.DestinationPort ?? of('RemotePort')),
    'sigma.category': platform === 'windows' ? kind?.category : undefined,
    'event.category': kind?.ecs,
    'host.os.type': platform,
  }
}

const places = readPlaces({
  source: 'crowdstrike',
  at: ['metadata.eventCreationTime', 'timestamp', 'event.UTCTimestamp', 'ContextTimeStamp'],
  user: ['event.UserName', 'event.UserId', 'UserName', 'UserPrincipal'],
  machine: ['event.ComputerName', 'event.Hostname', 'ComputerName'],
  process: ['event.FileName', 'FileName', 'ImageFileName'],
  code: ['metadata.eventType', ...SENSOR],
  from: ['event.LocalIP', 'event.UserIp', 'LocalAddressIP4', 'event.SourceEndpointIpAddress'],
  to: ['RemoteAddressIP4', 'event.RemoteAddress'],
  message: [
    ...['event.DetectDescription', 'event.Description', 'event.DetectName', 'event.Name'],
    'event.OperationName',
    ...SENSOR,
  ],
  severity: falconSeverity,
  outcome: (of) => outcomeIn(of('event.Success')),
  shared: {
    'process.command_line': ['event.CommandLine', 'CommandLine'],
    'process.executable': ['event.FilePath', 'ImageFileName'],
    'process.parent.name': ['event.ParentImageFileName', 'ParentBaseFileName'],
    'file.hash.sha256': ['event.SHA256String', 'SHA256HashData'],
    'file.hash.md5': ['event.MD5String', 'MD5HashData'],
    'dns.question.name': ['DomainName'],
    'file.path': ['TargetFileName'],
    'rule.name': ['event.DetectName', 'event.Name'],
  },
  more: (of) => ({
    ...sensorNames(of),
    'event.action': of('event.OperationName', 'event.PatternDispositionDescription'),
  }),
})

/** Who connected from outside is the source. */
const read: ParseObject = (fields, context) => {
  const parsed = places(fields, context)
  if (!parsed) return parsed
  const { SourceIp, DestinationIp } = parsed.fields
  return {
    ...parsed,
    src_ip: addressOf(textOf(SourceIp)) ?? parsed.src_ip,
    dst_ip: addressOf(textOf(DestinationIp)) ?? parsed.dst_ip,
  }
}

export const crowdstrike: ObjectFormat = {
  id: 'crowdstrike.falcon',
  title: 'CrowdStrike Falcon: event stream and data replicator',
  group: 'endpoint',
  kind: 'object',
  ecs: 'malware',
  ocsf: { class: 'detection_finding', activity: 'create' },
  overrules: true,
  when: {
    names: [
      ['metadata.eventCreationTime', 'metadata.eventType'],
      ['metadata.customerIDString', 'metadata.eventType'],
      ['event_simpleName', 'aid'],
      ['event_simpleName', 'cid'],
      ['#event_simpleName', 'aid'],
    ],
  },
  read,
  samples: [
    {
      event: {
        metadata: {
          customerIDString: 'c1',
          offset: 1,
          eventType: 'DetectionSummaryEvent',
          eventCreationTime: 1772532000000,
        },
        event: {
          ComputerName: 'WS5',
          UserName: 'eve',
          DetectName: 'Suspicious Activity',
          Severity: 4,
          SeverityName: 'High',
          FileName: 'a.exe',
          CommandLine: 'a.exe -x',
          SHA256String: 'ab'.repeat(32),
          LocalIP: '192.0.2.7',
        },
      },
      expect: {
        at: '2026-03-03T10:00:00.000Z',
        severity: 'high',
        host: 'WS5',
        user: 'eve',
        process: 'a.exe',
        event_code: 'DetectionSummaryEvent',
        src_ip: '192.0.2.7',
        fields: { 'process.command_line': 'a.exe -x', 'file.hash.sha256': 'ab'.repeat(32) },
      },
    },
    {
      event: {
        event_simpleName: 'NetworkConnectIP4',
        timestamp: '1772532000000',
        aid: 'a1',
        ComputerName: 'WS5',
        LocalAddressIP4: '192.0.2.7',
        RemoteAddressIP4: '198.51.100.2',
        RemotePort: '443',
      },
      expect: {
        at: '2026-03-03T10:00:00.000Z',
        host: 'WS5',
        dst_ip: '198.51.100.2',
        fields: { 'destination.port': 443 },
      },
    },
  ],
}
