import { addressOf } from '../../addresses.ts'
import type { Parsed, ParseText } from '../../parsed.ts'
import { separated } from '../../scan/separated.ts'
import { counted, natFields, transportOf, verdictOf } from '../../scan/traffic.ts'
import { within, wordAfter } from '../../scan/words.ts'
import { severityOf } from '../../severity.ts'
import { momentOf } from '../../timestamps.ts'
import type { TextFormat } from '../log-format.ts'
import { PANOS_SAMPLES } from './panos.samples.ts'
import { columnsOf, type PanosType } from './panos-columns.ts'

const TYPES = [
  'TRAFFIC',
  'THREAT',
  'DECRYPTION',
  'SYSTEM',
  'CONFIG',
  'GLOBALPROTECT',
  'USERID',
  'AUTHENTICATION',
  'HIPMATCH',
  'CORRELATION',
] as const satisfies PanosType[]
const BEGIN = /[\w-]*,\d{4}[/-]\d\d[/-]\d\d[T ]/
const DATE = /^\d{4}[/-]\d\d[/-]\d\d[T ]\d\d:\d\d:\d\d/

/** PAN-OS writes one line of CSV for an event; the fourth column says which columns the others are. */
const read: ParseText = (text, { receivedAt }) => {
  const values = separated(text)
  const type = TYPES.find((one) => one === values[3])
  if (!type || !DATE.test(values[1] ?? '')) return undefined
  const columns = columnsOf(type, values)
  const { dst, user, admin, action, description = '' } = columns
  const isSaid = type === 'SYSTEM'
  const src_ip = addressOf(isSaid ? clientIn(description) : columns.src)
  const dst_ip = addressOf(dst)
  return {
    source: 'panos',
    at: momentOf(columns.highRes || columns.time || values[1], receivedAt),
    machine: columns.device || undefined,
    severity: severityOf(columns.severity),
    user: admin || user || (isSaid ? userIn(description) : undefined),
    event_code: eventCodeOf(type, columns),
    src_ip,
    dst_ip: dst_ip === '0.0.0.0' ? undefined : dst_ip,
    fields: counted({
      'panos.type': type,
      'panos.subtype': columns.subtype,
      'panos.vsys': columns.vsys,
      'observer.serial_number': columns.serial,
      'source.port': columns.sport,
      'destination.port': columns.dport,
      ...natFields(
        'source',
        { ip: src_ip, port: columns.sport },
        { ip: columns.natSrc, port: columns.natSport },
      ),
      ...natFields(
        'destination',
        { ip: dst_ip, port: columns.dport },
        { ip: columns.natDst, port: columns.natDport },
      ),
      'destination.user.name': columns.dstUser,
      ...natFields('source', { ip: src_ip }, { ip: columns.privateIp }),
      'network.transport': transportOf(columns.protocol),
      'network.application': columns.app,
      'observer.ingress.zone': columns.from,
      'observer.egress.zone': columns.to,
      'observer.ingress.interface.name': columns.inIf,
      'observer.egress.interface.name': columns.outIf,
      'rule.name': columns.rule,
      'event.action': action,
      ...verdictOf(action),
      ...outcomeOf(columns.result),
      'event.reason': columns.reason,
      'network.bytes': columns.bytes,
      'source.bytes': columns.bytesSent,
      'destination.bytes': columns.bytesReceived,
      'network.packets': columns.packets,
      'network.session.id': columns.session,
      'threat.name': columns.threat,
      'url.original': columns.subtype === 'url' ? columns.misc : undefined,
      'file.name': columns.subtype === 'url' ? undefined : columns.misc,
      'url.category': columns.category,
      'http.request.method': columns.method,
      'http.request.referrer': columns.referer,
      'user_agent.original': columns.agent,
      'file.hash.sha256': columns.digest,
      'source.geo.name': columns.srcLocation,
      'destination.geo.name': columns.dstLocation,
      'panos.command': columns.command,
      'panos.path': columns.path,
      'panos.description': columns.description,
      'panos.machine': columns.machine,
      'panos.stage': columns.stage,
    }),
  } satisfies Parsed
}

/** `failed authentication for user 'eve'. … From: 192.0.2.7.`, `User eve logged in via Web from …` */
const userIn = (text: string) =>
  within(text, "user '", "'") ?? (text.startsWith('User ') ? wordAfter(text, 'User ') : undefined)
const clientIn = (text: string) => wordAfter(text, 'From: ') ?? wordAfter(text, ' from ')

type Columns = ReturnType<typeof columnsOf>

/** What tells this kind of event from others: the threat's number, the event's name, or the subtype. */
function eventCodeOf(type: PanosType, { threat, eventId, subtype }: Columns): string {
  const [, number] = /\((\d{1,12})\)$/.exec(threat ?? '') ?? []
  return (
    number ?? eventId ?? `${type.toLowerCase()}${subtype && subtype !== '0' ? `-${subtype}` : ''}`
  )
}

function outcomeOf(result: string | undefined) {
  if (!result) return {}
  return { 'event.outcome': /succ|submitted|allow/i.test(result) ? 'success' : 'failure' }
}

export const panos: TextFormat = {
  id: 'firewall.panos',
  title: 'Palo Alto Networks PAN-OS',
  group: 'firewall',
  kind: 'text',
  ecs: 'network',
  ocsf: {
    class: 'network_activity',
    activity: { allow: 'open', deny: 'refuse', drop: 'refuse', alert: 'other' },
  },
  overrules: true,
  when: { marks: TYPES.map((type) => `,${type},`), begins: BEGIN },
  read,
  samples: PANOS_SAMPLES,
}
