import { addressOf } from '../../addresses.ts'
import type { ParseText } from '../../parsed.ts'
import { separated } from '../../scan/separated.ts'
import { counted } from '../../scan/traffic.ts'
import { momentOf } from '../../timestamps.ts'
import type { TextFormat } from '../log-format.ts'

const SOURCES =
  'SMTP STOREDRIVER ROUTING AGENT DSN MAILBOXRULE PICKUP APPROVAL ADMIN BOOTLOADER DNS GATEWAY MEETINGMESSAGEPROCESSOR ORAR POISONMESSAGE PUBLICFOLDER QUEUE REDUNDANCY RESOLVER SAFETYNET SHAREDRIVER TRANSPORT'.split(
    ' ',
  )
const TIME = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d{1,7})?Z$/
const GUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i
const FAILED = new Set(['FAIL', 'DEFER', 'BADMAIL', 'DSN', 'DROP', 'REJECT', 'POISONMESSAGE'])

/** Exchange's message tracking log; since 2013 it has one more id before the recipients. */
const read: ParseText = (text, { receivedAt }) => {
  const values = separated(text)
  const [time = '', client, clientName, server, serverName, , connector, source = '', event] =
    values
  if (!TIME.test(time) || !SOURCES.includes(source) || !event) return undefined
  const after = GUID.test(values[11] ?? '') ? values.slice(12) : values.slice(11)
  const [recipients, status, bytes, count, , , subject, sender] = after
  return {
    source: 'exchange',
    at: momentOf(time, receivedAt),
    machine: serverName || undefined,
    user: sender || undefined,
    event_code: event,
    src_ip: addressOf(client),
    dst_ip: addressOf(server),
    fields: counted({
      'email.from.address': sender,
      'email.to.address': recipients?.includes(';') ? recipients.split(';', 100) : recipients,
      'email.subject': subject,
      'email.message_id': values[10]?.replace('<', '').replace('>', ''),
      'email.size': bytes && Number(bytes),
      'exchange.recipients': count && Number(count),
      'exchange.source': source,
      'exchange.connector': connector,
      'source.domain': clientName,
      'event.action': event.toLowerCase(),
      'event.outcome': FAILED.has(event) || event.endsWith('FAIL') ? 'failure' : 'success',
      'event.reason': status,
    }),
  }
}

export const exchangeTracking: TextFormat = {
  id: 'mail.exchange_tracking',
  title: 'Microsoft Exchange message tracking',
  group: 'mail',
  kind: 'text',
  ecs: 'email',
  ocsf: {
    class: 'email_activity',
    activity: { send: 'send', receive: 'receive', deliver: 'receive' },
  },
  when: { marks: SOURCES.map((source) => `,${source},`) },
  read,
  samples: [
    {
      event:
        '2026-03-03T10:00:00.123Z,192.0.2.21,LAPTOP7,192.0.2.25,MAIL1,08D5A1;2026-03-03T10:00:00.000Z;0,MAIL1\\Default MAIL1,SMTP,RECEIVE,55834574849,<a1@example.net>,6f1c2b60-0f5c-4b1a-9d57-08d5a1b2c3d4,bob@example.org;kim@example.org,,5120,2,,,"Hello, Bob",mona@example.net,mona@example.net,0cI: ,Originating,,203.0.113.20,192.0.2.25,',
      expect: {
        at: '2026-03-03T10:00:00.123Z',
        source: 'exchange',
        host: 'MAIL1',
        user: 'mona@example.net',
        event_code: 'RECEIVE',
        src_ip: '192.0.2.21',
        dst_ip: '192.0.2.25',
        fields: {
          'email.subject': 'Hello, Bob',
          'email.to.address': ['bob@example.org', 'kim@example.org'],
          'email.message_id': 'a1@example.net',
          'event.outcome': 'success',
        },
      },
    },
  ],
}
