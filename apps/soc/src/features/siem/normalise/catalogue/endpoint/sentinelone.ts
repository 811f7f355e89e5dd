import { severityOf } from '../../severity.ts'
import { readPlaces } from '../cloud/cloud-event.ts'
import type { ObjectFormat } from '../log-format.ts'

export const sentinelone: ObjectFormat = {
  id: 'sentinelone.singularity',
  title: 'SentinelOne: threats, activities, deep visibility',
  group: 'endpoint',
  kind: 'object',
  ecs: 'malware',
  ocsf: { class: 'detection_finding', activity: 'create' },
  overrules: true,
  when: {
    names: [
      ['threatInfo.threatName'],
      ['threatInfo.threatId'],
      ['primaryDescription', 'activityType'],
      ['src.process.cmdline', 'endpoint.name'],
      ['src.process.name', 'event.type'],
    ],
  },
  read: readPlaces({
    source: 'sentinelone',
    at: ['threatInfo.identifiedAt', 'threatInfo.createdAt', 'event.time', 'createdAt', 'updatedAt'],
    user: [
      ...['threatInfo.processUser', 'agentDetectionInfo.agentLastLoggedInUserName'],
      ...['data.username', 'data.userName', 'src.process.user'],
    ],
    machine: ['agentRealtimeInfo.agentComputerName', 'data.computerName', 'endpoint.name'],
    process: ['threatInfo.originatorProcess', 'src.process.name'],
    code: ['threatInfo.classification', 'activityType', 'event.type'],
    from: ['agentDetectionInfo.agentIpV4', 'data.ipAddress', 'src.ip.address'],
    to: ['dst.ip.address'],
    message: ['threatInfo.threatName', 'primaryDescription', 'event.type'],
    severity: (of) =>
      of('threatInfo.confidenceLevel') === 'malicious'
        ? 'high'
        : severityOf(of('threatInfo.confidenceLevel') && 'medium'),
    shared: {
      'process.command_line': ['threatInfo.maliciousProcessArguments', 'src.process.cmdline'],
      'file.path': ['threatInfo.filePath', 'tgt.file.path'],
      'file.hash.sha1': ['threatInfo.sha1', 'src.process.image.sha1'],
      'file.hash.sha256': ['threatInfo.sha256', 'src.process.image.sha256'],
      'file.hash.md5': ['threatInfo.md5', 'src.process.image.md5'],
      'source.port': ['src.port.number'],
      'destination.port': ['dst.port.number'],
      'dns.question.name': ['event.dns.request'],
      'url.original': ['url.address'],
      'rule.name': ['threatInfo.threatName'],
    },
    more: (of) => ({ 'event.action': of('threatInfo.mitigationStatus') }),
  }),
  samples: [
    {
      event: {
        agentDetectionInfo: { agentIpV4: '192.0.2.7', agentLastLoggedInUserName: 'eve' },
        agentRealtimeInfo: { agentComputerName: 'WS5' },
        threatInfo: {
          threatId: '1',
          threatName: 'a.exe',
          classification: 'Malware',
          confidenceLevel: 'malicious',
          createdAt: '2026-03-03T10:00:00.000000Z',
          filePath: '\\Device\\Disk\\a.exe',
          sha1: 'ab'.repeat(20),
          mitigationStatus: 'mitigated',
        },
      },
      expect: {
        at: '2026-03-03T10:00:00.000Z',
        severity: 'high',
        host: 'WS5',
        user: 'eve',
        event_code: 'Malware',
        src_ip: '192.0.2.7',
        fields: { 'file.hash.sha1': 'ab'.repeat(20), 'event.action': 'mitigated' },
      },
    },
  ],
}
