import { addressOf } from '../../addresses.ts'
import { type ParseObject, textOf } from '../../parsed.ts'
import { severityOf } from '../../severity.ts'
import { momentOf } from '../../timestamps.ts'
import type { ObjectFormat } from '../log-format.ts'

/** Suricata's EVE log: `event_type` with a `flow_id`, or an alert with its signature. */
export const parseSuricata: ParseObject = (fields, { receivedAt }) => {
  const type = textOf(fields.event_type)
  const isEve = Object.hasOwn(fields, 'flow_id') || Object.hasOwn(fields, 'alert.signature')
  if (!type || !(isEve || (type === 'stats' && Object.hasOwn(fields, 'stats.uptime')))) {
    return undefined
  }
  const said = [
    fields['alert.signature'],
    fields['dns.rrname'] ?? fields['dns.query.rrname'],
    fields['http.hostname'],
    fields['http.url'],
    fields['tls.sni'],
  ]
  return {
    source: 'suricata',
    at: momentOf(fields.timestamp, receivedAt),
    severity: severityOf(fields['alert.severity'], 'suricata'),
    message: [type, ...said.map(textOf)].filter(Boolean).join(' '),
    event_code: textOf(fields['alert.signature_id']) ?? type,
    src_ip: addressOf(fields.src_ip),
    dst_ip: addressOf(fields.dest_ip),
    fields: {},
  }
}

export const suricata: ObjectFormat = {
  id: 'suricata.eve',
  title: 'Suricata EVE',
  group: 'network',
  kind: 'object',
  ecs: 'network',
  ocsf: { class: 'network_activity', activity: 'traffic' },
  when: {
    names: [
      ['flow_id', 'event_type'],
      ['alert.signature', 'event_type'],
      ['stats.uptime', 'event_type'],
    ],
  },
  read: parseSuricata,
  samples: [
    {
      event: {
        timestamp: '2026-03-03T10:00:00.000000+0000',
        flow_id: 1,
        event_type: 'alert',
        src_ip: '192.0.2.7',
        src_port: 4711,
        dest_ip: '198.51.100.2',
        dest_port: 80,
        alert: { signature_id: 9000001, signature: 'TEST odd request', severity: 1 },
      },
      expect: {
        at: '2026-03-03T10:00:00.000Z',
        severity: 'high',
        event_code: '9000001',
        src_ip: '192.0.2.7',
        dst_ip: '198.51.100.2',
      },
    },
  ],
}
