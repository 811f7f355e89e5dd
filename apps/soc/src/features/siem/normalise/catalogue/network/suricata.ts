import { addressOf } from '../../addresses.ts'
import type { Fields } from '../../fields.ts'
import { type ParseObject, pick, textOf } from '../../parsed.ts'
import { keptFields, numberIn } from '../../scan/kept-fields.ts'
import { severityOf } from '../../severity.ts'
import { momentOf } from '../../timestamps.ts'
import type { ObjectFormat } from '../log-format.ts'

/** A question of DNS as the versions 1, 2 and 3 of the log have it. */
const ASKED = ['dns.rrname', 'dns.queries.rrname', 'dns.query.rrname']
const ASKED_TYPE = ['dns.rrtype', 'dns.queries.rrtype', 'dns.query.rrtype']
const ANSWERED = ['dns.rdata', 'dns.answers.rdata', 'dns.answer.rdata']
const USERS = ['smb.ntlmssp.user', 'krb5.cname', 'rdp.cookie', 'mqtt.connect.username']
/** Kinds of which each event is a finding. */
const FINDINGS = new Set(['alert', 'anomaly', 'drop'])

/** Suricata's EVE log, of every `event_type`. */
export const parseSuricata: ParseObject = (fields, { receivedAt }) => {
  const type = textOf(fields.event_type)
  if (!type) return undefined
  const said = [
    fields['alert.signature'],
    pick(fields, ASKED),
    fields['http.hostname'],
    fields['http.url'],
    fields['tls.sni'],
  ]
  return {
    source: 'suricata',
    at: momentOf(fields.timestamp, receivedAt),
    severity:
      severityOf(fields['alert.severity'], 'suricata') ?? (FINDINGS.has(type) ? 'low' : undefined),
    message: [type, ...said.map(textOf)].filter(Boolean).join(' '),
    user: pick(fields, USERS),
    event_code: textOf(fields['alert.signature_id']) ?? type,
    src_ip: addressOf(fields.src_ip),
    dst_ip: addressOf(fields.dest_ip),
    fields: sharedNames(fields, type),
  }
}

function sharedNames(fields: Fields, type: string): Fields {
  const of = (...names: string[]) => pick(fields, names)
  const asked = pick(fields, ASKED)
  return keptFields({
    'event.action': of('alert.action') ?? (type === 'drop' ? 'blocked' : undefined),
    'event.outcome': of('alert.action') === 'blocked' ? 'failure' : undefined,
    'rule.name': of('alert.signature'),
    'source.port': numberIn(fields.src_port),
    'destination.port': numberIn(fields.dest_port),
    'network.transport': of('proto')?.toLowerCase(),
    'network.protocol': of('app_proto'),
    'dns.question.name': asked,
    'dns.question.type': pick(fields, ASKED_TYPE),
    'dns.answers.data': pick(fields, ANSWERED),
    'url.domain': of('http.hostname', 'tls.sni'),
    'url.original': of('http.url'),
    'http.request.method': of('http.http_method'),
    'http.response.status_code': numberIn(fields['http.status']),
    'user_agent.original': of('http.http_user_agent'),
    'file.path': of('fileinfo.filename'),
    'file.hash.sha256': of('fileinfo.sha256'),
    'file.hash.sha1': of('fileinfo.sha1'),
    'file.hash.md5': of('fileinfo.md5'),
    'tls.client.ja3': of('tls.ja3.hash'),
    'email.from.address': of('smtp.mail_from'),
  })
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
      ['pcap_cnt', 'event_type'],
      ['in_iface', 'event_type'],
      ['dest_port', 'event_type', 'proto'],
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
        proto: 'TCP',
        alert: {
          action: 'blocked',
          signature_id: 9000001,
          signature: 'TEST odd request',
          severity: 1,
        },
        http: { hostname: 'www.example.test', url: '/a', http_method: 'GET', status: 200 },
      },
      expect: {
        at: '2026-03-03T10:00:00.000Z',
        severity: 'high',
        event_code: '9000001',
        src_ip: '192.0.2.7',
        dst_ip: '198.51.100.2',
        fields: {
          'event.action': 'blocked',
          'source.port': 4711,
          'destination.port': 80,
          'network.transport': 'tcp',
          'url.domain': 'www.example.test',
        },
      },
    },
    {
      event: {
        timestamp: '2026-03-03T10:00:00.000000+0000',
        flow_id: 2,
        event_type: 'dns',
        src_ip: '192.0.2.7',
        src_port: 4711,
        dest_ip: '198.51.100.2',
        dest_port: 53,
        proto: 'UDP',
        dns: {
          version: 3,
          type: 'response',
          queries: [{ rrname: 'www.example.test', rrtype: 'A' }],
          answers: [{ rrname: 'www.example.test', rrtype: 'A', rdata: '203.0.113.9' }],
        },
      },
      expect: {
        event_code: 'dns',
        fields: {
          'dns.question.name': 'www.example.test',
          'dns.question.type': 'A',
          'dns.answers.data': '203.0.113.9',
        },
      },
    },
    {
      event: {
        timestamp: '2026-03-03T10:00:00.000000+0000',
        flow_id: 3,
        event_type: 'fileinfo',
        src_ip: '198.51.100.2',
        dest_ip: '192.0.2.7',
        fileinfo: { filename: '/a.exe', sha256: 'ab'.repeat(32), state: 'CLOSED' },
      },
      expect: { event_code: 'fileinfo', fields: { 'file.hash.sha256': 'ab'.repeat(32) } },
    },
  ],
}
