import type { ObjectFormat } from '../log-format.ts'
import { type Of, readPlaces } from './cloud-event.ts'

/** As the log has it, and as it arrives through Pub/Sub. */
const both = (...names: string[]) => names.flatMap((name) => [name, `data.${name}`])

function outcomeOf(of: Of): string {
  const code = of(...both('protoPayload.status.code'))
  return code === undefined || code === '0' ? 'success' : 'failure'
}

export const googleCloud: ObjectFormat = {
  id: 'google.cloud_audit',
  title: 'Google Cloud audit logs, also of Workspace',
  group: 'cloud',
  kind: 'object',
  ecs: 'api',
  ocsf: { class: 'api_activity', activity: 'other' },
  overrules: true,
  when: {
    names: both('protoPayload.methodName', 'protoPayload.serviceName').map((name) => [name]),
  },
  read: readPlaces({
    source: 'gcp',
    at: both('timestamp', 'receiveTimestamp'),
    user: both('protoPayload.authenticationInfo.principalEmail'),
    code: both('protoPayload.methodName'),
    from: both('protoPayload.requestMetadata.callerIp'),
    message: both('protoPayload.methodName'),
    outcome: outcomeOf,
    shared: {
      'event.reason': both('protoPayload.status.message'),
      'user_agent.original': both('protoPayload.requestMetadata.callerSuppliedUserAgent'),
      'service.name': both('protoPayload.serviceName'),
      'url.original': both('protoPayload.resourceName'),
    },
  }),
  samples: [
    {
      event: {
        logName: 'projects/p1/logs/cloudaudit.googleapis.com%2Factivity',
        timestamp: '2026-03-03T10:00:00.123456Z',
        severity: 'NOTICE',
        resource: { type: 'gce_firewall_rule' },
        protoPayload: {
          serviceName: 'compute.googleapis.com',
          methodName: 'v1.compute.firewalls.delete',
          resourceName: 'projects/p1/global/firewalls/f1',
          authenticationInfo: { principalEmail: 'eve@corp.example' },
          requestMetadata: { callerIp: '192.0.2.7', callerSuppliedUserAgent: 'gcloud' },
        },
      },
      expect: {
        at: '2026-03-03T10:00:00.123Z',
        severity: 'low',
        user: 'eve@corp.example',
        event_code: 'v1.compute.firewalls.delete',
        src_ip: '192.0.2.7',
        fields: { 'event.outcome': 'success', 'user_agent.original': 'gcloud' },
      },
    },
  ],
}
