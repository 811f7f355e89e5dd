import { addressOf } from '../../addresses.ts'
import { type ParseObject, textOf } from '../../parsed.ts'
import { lifted } from '../../scan/lifted.ts'
import { outcomeOfStatus, urlFields } from '../../scan/request.ts'
import { counted } from '../../scan/traffic.ts'
import { momentOf } from '../../timestamps.ts'
import type { ObjectFormat } from '../log-format.ts'

const BEATS = 'kubernetes.audit.'

/** As the API server writes it, and as Elastic has it below a name. */
const read: ParseObject = (fields, context) => {
  if (!Object.hasOwn(fields, `${BEATS}auditID`)) return readAudit(fields, context)
  const own = lifted(fields, BEATS)
  const parsed = readAudit(own, context)
  return parsed && { ...parsed, fields: { ...own, ...parsed.fields } }
}

/** The API server's audit events: who asked for which verb on what, and how it was answered. */
const readAudit: ParseObject = (fields, { receivedAt }) => {
  const of = (...names: string[]) => names.map((name) => textOf(fields[name])).find(Boolean)
  const verb = of('verb')
  const resource = [of('objectRef.resource'), of('objectRef.subresource')].filter(Boolean).join('/')
  const status = of('responseStatus.code')
  const decision = of('annotations.authorization.k8s.io/decision')
  return {
    source: 'kubernetes_audit',
    at: momentOf(of('requestReceivedTimestamp', 'stageTimestamp', 'timestamp'), receivedAt),
    severity: decision === 'forbid' || status === '403' || status === '401' ? 'low' : undefined,
    message: [verb, resource, of('objectRef.namespace'), of('objectRef.name')]
      .filter(Boolean)
      .join(' '),
    user: of('user.username', 'user.name'),
    event_code: [verb, resource].filter(Boolean).join(' ') || undefined,
    src_ip: addressOf(of('sourceIPs')),
    fields: counted({
      ...urlFields(of('requestURI')),
      'http.response.status_code': status,
      'user_agent.original': of('userAgent'),
      'user.effective.name': of('impersonatedUser.username'),
      'kubernetes.namespace': of('objectRef.namespace'),
      'kubernetes.resource': resource,
      'kubernetes.name': of('objectRef.name'),
      'event.action': verb,
      'event.outcome': outcomeOfStatus(status) ?? (decision === 'forbid' ? 'failure' : undefined),
      'event.reason': of('responseStatus.reason', 'annotations.authorization.k8s.io/reason'),
    }),
  }
}

export const kubernetesAudit: ObjectFormat = {
  id: 'container.kubernetes_audit',
  title: 'Kubernetes audit log',
  group: 'container',
  kind: 'object',
  ecs: 'api',
  ocsf: {
    class: 'api_activity',
    activity: {
      create: 'create',
      get: 'read',
      list: 'read',
      watch: 'read',
      update: 'update',
      patch: 'update',
      delete: 'delete',
    },
  },
  when: {
    names: [['auditID', 'verb'], ['auditID', 'requestURI'], [`${BEATS}auditID`]],
  },
  read,
  samples: [
    {
      event: {
        kind: 'Event',
        apiVersion: 'audit.k8s.io/v1',
        level: 'Metadata',
        auditID: 'd6a1b1f2',
        stage: 'ResponseComplete',
        requestURI: '/api/v1/namespaces/shop/pods/web-1/exec?command=sh',
        verb: 'create',
        user: { username: 'mona', groups: ['system:authenticated'] },
        sourceIPs: ['203.0.113.20', '192.0.2.1'],
        userAgent: 'kubectl/v1.31',
        objectRef: { resource: 'pods', namespace: 'shop', name: 'web-1', subresource: 'exec' },
        responseStatus: { code: 403, reason: 'Forbidden' },
        requestReceivedTimestamp: '2026-03-03T10:00:00.123456Z',
        stageTimestamp: '2026-03-03T10:00:00.223456Z',
        annotations: { 'authorization.k8s.io/decision': 'forbid' },
      },
      expect: {
        at: '2026-03-03T10:00:00.123Z',
        source: 'kubernetes_audit',
        user: 'mona',
        event_code: 'create pods/exec',
        src_ip: '203.0.113.20',
        message: 'create pods/exec shop web-1',
        fields: {
          'event.action': 'create',
          'event.outcome': 'failure',
          'http.response.status_code': 403,
          'kubernetes.namespace': 'shop',
          'url.path': '/api/v1/namespaces/shop/pods/web-1/exec',
        },
      },
    },
    {
      event: {
        '@timestamp': '2026-03-03T10:00:00.000Z',
        kubernetes: {
          audit: {
            ...{ kind: 'Event', auditID: 'd6a1b1f3', verb: 'delete', stage: 'ResponseComplete' },
            user: { username: 'mona' },
            objectRef: { resource: 'secrets', namespace: 'shop', name: 's1' },
            requestReceivedTimestamp: '2026-03-03T10:00:00.500000Z',
          },
        },
      },
      expect: {
        at: '2026-03-03T10:00:00.500Z',
        user: 'mona',
        event_code: 'delete secrets',
        fields: { verb: 'delete', 'objectRef.resource': 'secrets', 'user.username': 'mona' },
      },
    },
  ],
}
