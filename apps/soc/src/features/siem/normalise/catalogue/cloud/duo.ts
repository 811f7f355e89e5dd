import type { ObjectFormat } from '../log-format.ts'
import { outcomeIn, readPlaces } from './cloud-event.ts'

export const duo: ObjectFormat = {
  id: 'cisco.duo',
  title: 'Cisco Duo authentication and administrator logs',
  group: 'cloud',
  kind: 'object',
  ecs: 'authentication',
  ocsf: { class: 'authentication', activity: { authentication: 'logon' } },
  overrules: true,
  when: {
    names: [
      ['txid', 'factor'],
      ['access_device.ip', 'factor'],
      ['txid', 'isotimestamp'],
      ['isotimestamp', 'action'],
      ['isotimestamp', 'event_type'],
    ],
  },
  read: readPlaces({
    source: 'duo',
    at: ['isotimestamp', 'timestamp'],
    user: ['user.name', 'username', 'email'],
    code: ['event_type', 'action', 'eventtype'],
    from: ['access_device.ip', 'ip'],
    message: ['reason', 'description', 'action'],
    outcome: (of) => outcomeIn(of('result')),
    shared: { 'event.reason': ['reason'], 'service.name': ['application.name'] },
  }),
  samples: [
    {
      event: {
        timestamp: 1772532000,
        isotimestamp: '2026-03-03T10:00:00.000000+00:00',
        txid: 't1',
        event_type: 'authentication',
        factor: 'duo_push',
        reason: 'user_marked_fraud',
        result: 'fraud',
        user: { key: 'k1', name: 'eve' },
        access_device: { ip: '192.0.2.7' },
      },
      expect: {
        at: '2026-03-03T10:00:00.000Z',
        user: 'eve',
        event_code: 'authentication',
        src_ip: '192.0.2.7',
        fields: { 'event.outcome': 'failure' },
      },
    },
  ],
}
