import { addressOf } from '../addresses.ts'
import { type ParseObject, textOf } from '../parsed.ts'
import { severityOf } from '../severity.ts'
import { momentOf } from '../timestamps.ts'

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
