import { storable } from '../../normalise/fields.ts'
import type { Incoming } from '../../normalise/normalise.ts'
import { APPNAME, CLIENT, PEER, parseSyslog, withoutMark } from '../../normalise/syslog-header.ts'
import type { SyslogMessage } from '../read/part.ts'

/** What the header of a message says goes before what the message says, and who sent it before both. */
export function readSyslog(message: SyslogMessage, receivedAt: number): Incoming {
  const { peer, client } = message
  const text = withoutMark(storable(message.text))
  const facts = { [PEER]: peer, ...(client ? { [CLIENT]: storable(client) } : {}) }
  const header = parseSyslog(text, { receivedAt })
  if (!header) return { text, peer, facts }
  const { at, severity, process, host } = header
  // The column holds the name without what stands before it, as in `postfix/smtp`.
  const whole = process?.includes('/') ? { [APPNAME]: process } : {}
  return {
    text: header.message ?? '',
    known: {
      ...(host ? { host } : {}),
      ...(at === undefined ? {} : { at }),
      ...(severity ? { severity } : {}),
      ...(process ? { process } : {}),
      ...(header.event_code ? { event_code: header.event_code } : {}),
    },
    peer,
    extra: { ...header.fields, ...whole },
    facts,
  }
}
