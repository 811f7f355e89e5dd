import { severityOf } from '../../severity.ts'
import { type Of, outcomeIn, readPlaces } from '../cloud/cloud-event.ts'
import type { ObjectFormat } from '../log-format.ts'

const NUMBERS = ['info', 'info', 'low', 'medium', 'high', 'critical'] as const

/** By name, or from 1 to 5. */
function falconSeverity(of: Of) {
  const named = severityOf(of('event.SeverityName', 'SeverityName'))
  return named ?? NUMBERS[Number(of('event.Severity') ?? -1)]
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
    ],
  },
  read: readPlaces({
    source: 'crowdstrike',
    at: ['metadata.eventCreationTime', 'timestamp', 'event.UTCTimestamp', 'ContextTimeStamp'],
    user: ['event.UserName', 'event.UserId', 'UserName', 'UserPrincipal'],
    machine: ['event.ComputerName', 'event.Hostname', 'ComputerName'],
    process: ['event.FileName', 'FileName', 'ImageFileName'],
    code: ['metadata.eventType', 'event_simpleName'],
    from: ['event.LocalIP', 'event.UserIp', 'LocalAddressIP4', 'event.SourceEndpointIpAddress'],
    to: ['RemoteAddressIP4', 'event.RemoteAddress'],
    message: [
      ...['event.DetectDescription', 'event.Description', 'event.DetectName', 'event.Name'],
      ...['event.OperationName', 'event_simpleName'],
    ],
    severity: falconSeverity,
    outcome: (of) => outcomeIn(of('event.Success')),
    shared: {
      'process.command_line': ['event.CommandLine', 'CommandLine'],
      'process.executable': ['event.FilePath', 'ImageFileName'],
      'process.parent.name': ['event.ParentImageFileName', 'ParentBaseFileName'],
      'file.hash.sha256': ['event.SHA256String', 'SHA256HashData'],
      'file.hash.md5': ['event.MD5String', 'MD5HashData'],
      'source.port': ['LocalPort'],
      'destination.port': ['RemotePort'],
      'dns.question.name': ['DomainName'],
      'rule.name': ['event.DetectName', 'event.Name'],
    },
    more: (of) => ({
      'event.action': of('event.OperationName', 'event.PatternDispositionDescription'),
    }),
  }),
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
