import { addressOf } from '../../addresses.ts'
import type { ParseText } from '../../parsed.ts'
import { pairsIn } from '../../scan/pairs.ts'
import { counted } from '../../scan/traffic.ts'
import { within } from '../../scan/words.ts'
import type { TextFormat } from '../log-format.ts'

const QUEUE = /^([0-9A-F]{6,15}|[0-9A-Za-z]{10,20}|NOQUEUE): /
const DAEMONS = [
  'smtpd',
  'smtp',
  'qmgr',
  'cleanup',
  'pickup',
  'local',
  'virtual',
  'lmtp',
  'pipe',
  'bounce',
  'error',
  'anvil',
  'postscreen',
  'trivial-rewrite',
  'smtps/smtpd',
  'submission/smtpd',
  'submissions/smtpd',
  'master',
  'scache',
  'tlsproxy',
  'discard',
]

/** Postfix: a queue id, then pairs with commas between them, or a sentence about a client. */
const read: ParseText = (text, { process = '' }) => {
  if (!process.toLowerCase().includes('postfix')) return undefined
  const [head = '', queue] = QUEUE.exec(text) ?? []
  const body = text.slice(head.length)
  const pairs = pairsIn(body, { between: ' ,;' })
  const isReject = body.startsWith('reject: ') || body.startsWith('milter-reject: ')
  const isAuth = body.includes(' authentication failed')
  const client = clientIn(body)
  const relay = pairs.relay ? within(pairs.relay, '[', ']') : undefined
  const isDelivery = pairs.status !== undefined && pairs.to !== undefined
  return {
    source: 'postfix',
    severity: isReject || isAuth ? 'low' : undefined,
    user: pairs.sasl_username,
    event_code: isReject ? /: (\d{3}) /.exec(body)?.[1] : (pairs.dsn ?? undefined),
    src_ip: addressOf(client?.ip),
    dst_ip: addressOf(relay),
    fields: counted({
      'email.local_id': queue === 'NOQUEUE' ? undefined : queue,
      'email.message_id': angled(pairs['message-id']),
      'email.from.address': angled(pairs.from),
      'email.to.address': angled(pairs.to),
      'email.size': pairs.size && Number(pairs.size),
      'source.domain': client?.name === 'unknown' ? undefined : client?.name,
      'destination.domain': relay && pairs.relay?.split('[', 1)[0],
      'destination.port': pairs.relay?.match(/:(\d{1,5})$/)?.[1],
      'postfix.status': pairs.status,
      'postfix.dsn': pairs.dsn,
      'smtp.helo': angled(pairs.helo),
      'auth.method': pairs.sasl_method,
      'event.action': actionOf(body, { isReject, isAuth, isDelivery }),
      'event.outcome': outcomeOf(pairs, isReject || isAuth),
      'event.reason': isReject || isAuth ? body : isDelivery ? within(body, '(', ')') : undefined,
    }),
  }
}

/** `name[192.0.2.7]`, wherever the sentence has it. */
function clientIn(body: string): { name: string; ip: string } | undefined {
  const before = body.indexOf('relay=')
  const text = before < 0 ? body : body.slice(0, before)
  const open = text.indexOf('[')
  const close = text.indexOf(']', open)
  if (open < 0 || close < 0) return undefined
  const ip = text.slice(open + 1, close)
  const names = text.slice(0, open)
  return { name: names.slice(Math.max(names.lastIndexOf(' '), names.lastIndexOf('=')) + 1), ip }
}

const angled = (value: string | undefined) => {
  if (!value?.startsWith('<')) return value
  const close = value.indexOf('>')
  return value.slice(1, close < 0 ? undefined : close)
}

type Kind = { isReject: boolean; isAuth: boolean; isDelivery: boolean }

function actionOf(body: string, { isReject, isAuth, isDelivery }: Kind): string | undefined {
  if (isReject) return 'reject'
  if (isAuth) return 'login'
  if (isDelivery) return 'delivery'
  const [word = ''] = body.split(' ', 1)
  return /^(?:connect|disconnect|lost|warning:|removed|timeout)$/.test(word)
    ? word.replace(':', '')
    : undefined
}

function outcomeOf(
  { status, sasl_username }: Readonly<Record<string, string>>,
  isFailure: boolean,
) {
  if (isFailure) return 'failure'
  if (status) return status === 'sent' ? 'success' : 'failure'
  return sasl_username ? 'success' : undefined
}

export const postfix: TextFormat = {
  id: 'mail.postfix',
  title: 'Postfix',
  group: 'mail',
  kind: 'text',
  ecs: 'email',
  ocsf: {
    class: 'email_activity',
    activity: { delivery: 'send', reject: 'receive', connect: 'receive' },
  },
  when: { programs: ['postfix', ...DAEMONS.map((name) => `postfix/${name}`)] },
  read,
  samples: [
    {
      event:
        '<22>Mar  3 10:00:00 mx1 postfix/smtp[4711]: 4F1C2A0B3D: to=<bob@example.net>, relay=mail.example.net[198.51.100.25]:25, delay=1.2, delays=0.1/0/0.5/0.6, dsn=2.0.0, status=sent (250 2.0.0 Ok: queued as 12AB)',
      expect: {
        source: 'postfix',
        host: 'mx1',
        process: 'smtp',
        dst_ip: '198.51.100.25',
        event_code: '2.0.0',
        fields: {
          'email.to.address': 'bob@example.net',
          'email.local_id': '4F1C2A0B3D',
          'destination.port': 25,
          'event.action': 'delivery',
          'event.outcome': 'success',
        },
      },
    },
    {
      event:
        '<22>Mar  3 10:00:00 mx1 postfix/smtpd[4711]: NOQUEUE: reject: RCPT from unknown[203.0.113.9]: 554 5.7.1 <eve@bad.example.net>: Relay access denied; from=<eve@bad.example.net> to=<bob@example.org> proto=ESMTP helo=<bad>',
      expect: {
        src_ip: '203.0.113.9',
        event_code: '554',
        fields: {
          'email.from.address': 'eve@bad.example.net',
          'email.to.address': 'bob@example.org',
          'event.action': 'reject',
          'event.outcome': 'failure',
        },
      },
    },
    {
      event:
        '<20>Mar  3 10:00:00 mx1 postfix/smtpd[4711]: warning: unknown[203.0.113.9]: SASL LOGIN authentication failed: UGFzc3dvcmQ6',
      expect: {
        src_ip: '203.0.113.9',
        fields: { 'event.action': 'login', 'event.outcome': 'failure' },
      },
    },
    {
      event:
        '<22>Mar  3 10:00:00 mx1 postfix/submission/smtpd[4711]: 4F1C2A0B3D: client=laptop7.example.net[192.0.2.21], sasl_method=PLAIN, sasl_username=mona',
      expect: {
        user: 'mona',
        src_ip: '192.0.2.21',
        fields: { 'source.domain': 'laptop7.example.net' },
      },
    },
  ],
}
