import type { ObjectFormat } from '../log-format.ts'
import { outcomeIn, readPlaces } from './cloud-event.ts'

export const okta: ObjectFormat = {
  id: 'okta.system',
  title: 'Okta System Log',
  group: 'cloud',
  kind: 'object',
  ecs: 'iam',
  ocsf: {
    class: 'authentication',
    activity: { 'user.session.start': 'logon', 'user.session.end': 'logoff' },
  },
  overrules: true,
  when: {
    names: [
      ['published', 'eventType'],
      ['legacyEventType', 'eventType'],
      ['debugContext.debugData.requestUri', 'eventType'],
    ],
  },
  read: readPlaces({
    source: 'okta',
    at: ['published'],
    user: ['actor.alternateId', 'actor.displayName'],
    code: ['eventType'],
    from: ['client.ipAddress', 'request.ipChain.ip'],
    message: ['displayMessage', 'eventType'],
    outcome: (of) => outcomeIn(of('outcome.result')),
    shared: {
      'event.reason': ['outcome.reason'],
      'user.target.name': ['target.alternateId'],
      'user_agent.original': ['client.userAgent.rawUserAgent'],
      'url.original': ['debugContext.debugData.requestUri'],
    },
  }),
  samples: [
    {
      event: {
        uuid: 'a1',
        published: '2026-03-03T10:00:00.000Z',
        eventType: 'user.session.start',
        severity: 'WARN',
        displayMessage: 'User login to Okta',
        actor: { type: 'User', alternateId: 'eve@corp.example', displayName: 'Eve' },
        client: { ipAddress: '192.0.2.7', userAgent: { rawUserAgent: 'curl/8.0' } },
        outcome: { result: 'FAILURE', reason: 'INVALID_CREDENTIALS' },
        debugContext: { debugData: { requestUri: '/api/v1/authn' } },
      },
      expect: {
        at: '2026-03-03T10:00:00.000Z',
        severity: 'medium',
        user: 'eve@corp.example',
        event_code: 'user.session.start',
        src_ip: '192.0.2.7',
        message: 'User login to Okta',
        fields: { 'event.outcome': 'failure', 'event.reason': 'INVALID_CREDENTIALS' },
      },
    },
  ],
}
