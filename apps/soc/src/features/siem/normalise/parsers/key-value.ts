import { addressOf } from '../addresses.ts'
import type { Fields } from '../fields.ts'
import { type ParseText, textOf } from '../parsed.ts'
import { severityOf } from '../severity.ts'
import { momentOf } from '../timestamps.ts'

const PAIR =
  /(?:^|[\s,;[(])([A-Za-z_][\w.@/-]{0,63})=(?:"([^"\\]*(?:\\.[^"\\]*)*)"|'([^']*)'|([^\s,;"'][^\s,;]*|(?=[\s,;]|$)))/g
const FEWEST = 3
const MOST = 200
const AUDIT = /^audit\((\d+\.\d+):(\d+)\)/

/** `date=… srcip=… action=deny`: firewalls, logfmt, auditd. One or two pairs in a sentence are chance. */
export const parseKeyValue: ParseText = (text, { receivedAt }) => {
  if (!text.includes('=')) return undefined
  const fields: Fields = {}
  let count = 0
  for (const [, name = '', quoted, single, plain = ''] of text.matchAll(PAIR)) {
    if (Object.hasOwn(fields, name) || name === '__proto__') continue
    fields[name] = quoted?.replace(/\\(["\\])/g, '$1') ?? single ?? plain
    count += 1
    if (count === MOST) break
  }
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
    fields,
  }
}
