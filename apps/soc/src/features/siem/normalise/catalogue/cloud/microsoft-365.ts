import type { ObjectFormat } from '../log-format.ts'
import { outcomeIn, readPlaces } from './cloud-event.ts'

export const microsoft365: ObjectFormat = {
  id: 'microsoft.365',
  title: 'Microsoft 365 unified audit log',
  group: 'cloud',
  kind: 'object',
  ecs: 'web',
  ocsf: { class: 'api_activity', activity: 'other' },
  overrules: true,
  when: {
    names: [
      ['Workload', 'Operation'],
      ['CreationTime', 'Operation'],
      ['RecordType', 'Operation'],
      ['AuditData.Operation'],
    ],
  },
  read: readPlaces({
    source: 'm365',
    at: ['CreationTime', 'AuditData.CreationTime', 'CreationDate'],
    user: ['UserId', 'AuditData.UserId', 'UserIds', 'UserKey'],
    code: ['Operation', 'AuditData.Operation', 'Operations'],
    from: ['ClientIP', 'ClientIPAddress', 'ActorIpAddress', 'AuditData.ClientIP', 'SenderIp'],
    message: ['Operation', 'AuditData.Operation'],
    outcome: (of) => outcomeIn(of('ResultStatus', 'AuditData.ResultStatus')),
    shared: {
      'user_agent.original': ['UserAgent'],
      'url.original': ['ObjectId'],
      'file.path': ['SourceRelativeUrl'],
      'service.name': ['Workload', 'OfficeWorkload'],
    },
    // What the rules for this service call them.
    more: (of) => ({
      eventSource: of('Workload', 'OfficeWorkload', 'Source', 'AuditData.Workload'),
      eventName: of('Name', 'AlertName') ?? of('Operation', 'AuditData.Operation'),
      status: outcomeIn(of('ResultStatus')) === 'failure' ? 'failure' : 'success',
    }),
  }),
  samples: [
    {
      event: {
        CreationTime: '2026-03-03T10:00:00',
        Id: 'a1',
        Operation: 'New-InboxRule',
        RecordType: 1,
        ResultStatus: 'True',
        Workload: 'Exchange',
        UserId: 'eve@corp.example',
        ClientIP: '192.0.2.7:4711',
        Parameters: [{ Name: 'ForwardTo', Value: 'x@other.example' }],
      },
      expect: {
        at: '2026-03-03T10:00:00.000Z',
        user: 'eve@corp.example',
        event_code: 'New-InboxRule',
        src_ip: '192.0.2.7',
        fields: { 'event.outcome': 'success', eventSource: 'Exchange' },
      },
    },
  ],
}
