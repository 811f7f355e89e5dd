import type { ObjectFormat } from '../log-format.ts'
import { readPlaces } from './cloud-event.ts'

export const github: ObjectFormat = {
  id: 'github.audit',
  title: 'GitHub audit log',
  group: 'cloud',
  kind: 'object',
  ecs: 'configuration',
  ocsf: { class: 'api_activity', activity: 'other' },
  overrules: true,
  when: {
    names: [
      ['_document_id', 'action'],
      ['actor_id', 'action', 'actor'],
      ['actor_location.country_code', 'action'],
      ['org_id', 'action', 'actor'],
    ],
  },
  read: readPlaces({
    source: 'github',
    at: ['@timestamp', 'created_at'],
    user: ['actor'],
    code: ['action'],
    from: ['actor_ip'],
    message: ['action'],
    shared: {
      'user.target.name': ['user'],
      'user_agent.original': ['user_agent'],
      'url.path': ['repo'],
    },
  }),
  samples: [
    {
      event: {
        '@timestamp': 1772532000000,
        _document_id: 'd1',
        action: 'repo.create',
        actor: 'eve',
        actor_id: 7,
        actor_ip: '192.0.2.7',
        org: 'corp',
        repo: 'corp/shop',
        created_at: 1772532000000,
      },
      expect: {
        at: '2026-03-03T10:00:00.000Z',
        user: 'eve',
        event_code: 'repo.create',
        src_ip: '192.0.2.7',
        fields: { 'event.action': 'repo.create' },
      },
    },
  ],
}
