import { addressOf } from '../../addresses.ts'
import { type ParseText, textOf } from '../../parsed.ts'
import { keptFields, numberIn } from '../../scan/kept-fields.ts'
import { pairsIn } from '../../scan/pairs.ts'
import { severityOf } from '../../severity.ts'
import { momentOf } from '../../timestamps.ts'
import type { TextFormat } from '../log-format.ts'

const FEWEST = 3
const AUDIT = /^audit\((\d+\.\d+):(\d+)\)/

/** `date=… srcip=… action=deny`: firewalls, logfmt, auditd. One or two pairs in a sentence are chance. */
export const parseKeyValue: ParseText = (text, { receivedAt }) => {
  if (!text.includes('=')) return undefined
  const fields = pairsIn(text)
  const count = Object.keys(fields).length
  const begins = /^\s*[A-Za-z_][\w.-]*=/.test(text)
  if (count < (begins ? FEWEST - 1 : FEWEST)) return undefined
  const of = (...names: string[]) => names.map((name) => textOf(fields[name])).find(Boolean)
  const address = (...names: string[]) => names.map((name) => addressOf(fields[name])).find(Boolean)
  const [, audited] = AUDIT.exec(of('msg') ?? '') ?? []
  const dated = fields.date && fields.time ? `${fields.date} ${fields.time}` : undefined
  return {
    at: momentOf(audited ?? dated ?? of('timestamp', 'ts', 'time', 'eventtime'), receivedAt),
    machine: of('devname'),
    host: of('devname', 'hostname', 'host'),
    severity: severityOf(of('severity', 'level', 'lvl', 'pri')),
    user: of('user', 'username', 'acct', 'usr', 'srcuser'),
    process: of('comm', 'exe', 'process'),
    event_code: of('logid', 'event_id', 'type'),
    src_ip: address('srcip', 'src', 'SRC', 'src_ip', 'addr', 'remip', 'client_ip'),
    dst_ip: address('dstip', 'dst', 'DST', 'dst_ip'),
    fields: { ...fields, ...sharedNames(of) },
  }
}

const sharedNames = (of: (...names: string[]) => string | undefined) =>
  keptFields({
    'source.port': numberIn(of('srcport', 'src_port', 'sport', 'spt', 'SPT')),
    'destination.port': numberIn(of('dstport', 'dst_port', 'dport', 'dpt', 'DPT')),
    'network.transport': of('PROTO', 'proto', 'protocol')?.toLowerCase(),
    'event.action': of('action', 'act'),
    'event.outcome': of('outcome', 'result'),
    'url.original': of('url', 'uri', 'request'),
    'process.command_line': of('cmdline', 'command', 'cmd'),
  })

export const keyValue: TextFormat = {
  id: 'generic.key_value',
  title: 'Lines of name=value pairs',
  group: 'generic',
  kind: 'text',
  ecs: 'host',
  ocsf: { class: 'base_event', activity: 'other' },
  when: {},
  read: parseKeyValue,
  samples: [
    {
      event:
        'time=2026-03-03T10:00:00Z level=warn user=eve src_ip=192.0.2.7 note="no \\"way\\" in" took=3ms',
      expect: {
        at: '2026-03-03T10:00:00.000Z',
        severity: 'medium',
        user: 'eve',
        src_ip: '192.0.2.7',
        fields: { note: 'no "way" in', took: '3ms' },
      },
    },
  ],
}
