import type { ObjectFormat } from '../log-format.ts'
import { outcomeIn, readPlaces } from './cloud-event.ts'

export const cloudflare: ObjectFormat = {
  id: 'cloudflare.logpush',
  title: 'Cloudflare: HTTP requests, firewall events, Gateway, audit',
  group: 'cloud',
  kind: 'object',
  ecs: 'web',
  ocsf: { class: 'http_activity', activity: { block: 'other', allow: 'other' } },
  overrules: true,
  when: {
    names: [
      ['EdgeStartTimestamp', 'RayID'],
      ['EdgeStartTimestamp', 'ClientIP'],
      ['ClientRequestHost', 'RayID'],
      ['RayID', 'Datetime'],
      ['ActorEmail', 'ActionType'],
      ['actor.email', 'action.type', 'when'],
      ['PolicyID', 'QueryName', 'Datetime'],
    ],
  },
  read: readPlaces({
    source: 'cloudflare',
    at: ['EdgeStartTimestamp', 'EdgeEndTimestamp', 'Datetime', 'When', 'when'],
    user: ['ActorEmail', 'actor.email', 'Email', 'ClientRequestUsername'],
    code: ['Action', 'ActionType', 'action.type', 'EdgeResponseStatus', 'Resolution'],
    from: ['ClientIP', 'ActorIP', 'actor.ip', 'SrcIP', 'SourceIP'],
    to: ['OriginIP', 'DstIP', 'DestinationIP'],
    message: ['ClientRequestURI', 'ActionType', 'action.type', 'QueryName'],
    outcome: (of) =>
      outcomeIn(of('ActionResult', 'action.result')) ??
      (of('Action', 'SecurityAction') === 'block' ? 'failure' : undefined),
    shared: {
      'url.domain': ['ClientRequestHost', 'Host'],
      'url.original': ['ClientRequestURI', 'ClientRequestPath', 'URL'],
      'http.request.method': ['ClientRequestMethod', 'HTTPMethod'],
      'http.response.status_code': ['EdgeResponseStatus'],
      'user_agent.original': ['ClientRequestUserAgent', 'UserAgent'],
      'dns.question.name': ['QueryName'],
      'source.port': ['ClientSrcPort', 'SrcPort'],
      'rule.id': ['RuleID', 'FirewallMatchesRuleIDs'],
    },
  }),
  samples: [
    {
      event: {
        ClientIP: '192.0.2.7',
        ClientRequestHost: 'www.example.test',
        ClientRequestMethod: 'GET',
        ClientRequestURI: '/a?b=1',
        ClientRequestUserAgent: 'curl/8.0',
        EdgeResponseStatus: 403,
        EdgeStartTimestamp: 1772532000000000000,
        RayID: 'r1',
      },
      expect: {
        at: '2026-03-03T10:00:00.000Z',
        event_code: '403',
        src_ip: '192.0.2.7',
        fields: {
          'url.domain': 'www.example.test',
          'url.original': '/a?b=1',
          'http.request.method': 'GET',
          'http.response.status_code': 403,
        },
      },
    },
    {
      event: {
        ActionType: 'token_create',
        ActionResult: true,
        ActorEmail: 'eve@corp.example',
        ActorIP: '192.0.2.7',
        When: '2026-03-03T10:00:00Z',
      },
      expect: {
        at: '2026-03-03T10:00:00.000Z',
        user: 'eve@corp.example',
        event_code: 'token_create',
        fields: { 'event.outcome': 'success' },
      },
    },
  ],
}
