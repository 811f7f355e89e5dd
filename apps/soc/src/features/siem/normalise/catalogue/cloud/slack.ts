import type { ObjectFormat } from '../log-format.ts'
import { readPlaces } from './cloud-event.ts'

export const slack: ObjectFormat = {
  id: 'slack.audit',
  title: 'Slack audit log',
  group: 'cloud',
  kind: 'object',
  ecs: 'iam',
  ocsf: { class: 'api_activity', activity: { user_login: 'logon', user_logout: 'logoff' } },
  overrules: true,
  when: { names: [['date_create', 'action']] },
  read: readPlaces({
    source: 'slack',
    at: ['date_create'],
    user: ['actor.user.email', 'actor.user.name', 'actor.user.id'],
    code: ['action'],
    from: ['context.ip_address'],
    message: ['action'],
    outcome: (of) => (of('action')?.includes('failed') ? 'failure' : 'success'),
    shared: {
      'user_agent.original': ['context.ua'],
      'user.target.name': ['entity.user.email', 'entity.user.name'],
    },
  }),
  samples: [
    {
      event: {
        id: 'a1',
        date_create: 1772532000,
        action: 'user_login',
        actor: { type: 'user', user: { id: 'W1', name: 'Eve', email: 'eve@corp.example' } },
        context: { ua: 'curl/8.0', ip_address: '192.0.2.7' },
      },
      expect: {
        at: '2026-03-03T10:00:00.000Z',
        user: 'eve@corp.example',
        event_code: 'user_login',
        src_ip: '192.0.2.7',
        fields: { 'event.outcome': 'success' },
      },
    },
  ],
}
