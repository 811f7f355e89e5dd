import { addressOf } from '../../addresses.ts'
import type { ParseText } from '../../parsed.ts'
import { pairsIn } from '../../scan/pairs.ts'
import { counted } from '../../scan/traffic.ts'
import { within } from '../../scan/words.ts'
import type { TextFormat } from '../log-format.ts'

const SERVICE =
  /^(imap|pop3|submission|managesieve|lmtp|lda|auth|auth-worker|sieve|indexer-worker|doveadm|master|anvil|config|log)(-login)?(?:\(([^)]{0,128})\))?(?:<[^>]{0,64}>){0,2}: (?:(?:Info|Error|Warning|Fatal): )?/

/** `imap-login: Login: user=<mona>, method=PLAIN, rip=…, lip=…`, `imap(mona)<…>: Logged out`. */
const read: ParseText = (text) => {
  const [head, service, login, of] = SERVICE.exec(text) ?? []
  if (head === undefined) return undefined
  const body = text.slice(head.length)
  const pairs = pairsIn(body, { between: ' ,' })
  // `pam(eve,203.0.113.9): unknown user`
  const [, account, address] = /^[\w-]{2,20}\(([^,)]{1,128}),([0-9a-fA-F.:]{3,45})/.exec(body) ?? []
  const isIn = body.startsWith('Login: ')
  const isFailed =
    /auth failed|unknown user|Password mismatch|Authentication failure|Aborted login|password mismatch/.test(
      body,
    )
  const user =
    pairs.user?.replace('<', '').replace('>', '') || account || (login ? undefined : nameIn(of))
  return {
    source: 'dovecot',
    severity: isFailed ? 'low' : undefined,
    user: user || undefined,
    event_code: /^[A-Z][a-z]{2,20}(?: [a-z]{2,20})?/.exec(body)?.[0],
    src_ip: addressOf(pairs.rip) ?? addressOf(address),
    dst_ip: addressOf(pairs.lip),
    fields: counted({
      'service.name': service,
      'auth.method': pairs.method,
      'source.port': pairs.rport,
      'destination.port': pairs.lport,
      'event.action': isIn || isFailed ? 'login' : undefined,
      'event.outcome': isIn ? 'success' : isFailed ? 'failure' : undefined,
      'event.reason': isFailed ? within(body, '(', ')') : undefined,
      'email.message_id': within(body, 'msgid=<', '>'),
      'dovecot.session': within(body, 'session=<', '>'),
    }),
  }
}

/** In brackets stands a name, or the number of a process. */
const nameIn = (of: string | undefined) => (of && /^\d+$/.test(of) ? undefined : of)

export const dovecot: TextFormat = {
  id: 'mail.dovecot',
  title: 'Dovecot',
  group: 'mail',
  kind: 'text',
  ecs: 'authentication',
  ocsf: { class: 'authentication', activity: { login: 'logon' } },
  when: { programs: ['dovecot'], starts: ['imap-login: ', 'pop3-login: ', 'auth-worker('] },
  read,
  samples: [
    {
      event:
        '<22>Mar  3 10:00:00 mx1 dovecot: imap-login: Login: user=<mona>, method=PLAIN, rip=203.0.113.20, lip=198.51.100.25, mpid=4711, TLS, session=<kX1>',
      expect: {
        source: 'dovecot',
        host: 'mx1',
        user: 'mona',
        src_ip: '203.0.113.20',
        dst_ip: '198.51.100.25',
        fields: { 'event.action': 'login', 'event.outcome': 'success', 'auth.method': 'PLAIN' },
      },
    },
    {
      event:
        '<22>Mar  3 10:00:00 mx1 dovecot: imap-login: Disconnected (auth failed, 3 attempts in 12 secs): user=<eve>, method=PLAIN, rip=203.0.113.9, lip=198.51.100.25, session=<kX2>',
      expect: {
        user: 'eve',
        src_ip: '203.0.113.9',
        fields: {
          'event.outcome': 'failure',
          'event.reason': 'auth failed, 3 attempts in 12 secs',
        },
      },
    },
    {
      event:
        '<22>Mar  3 10:00:00 mx1 dovecot: auth-worker(4711): pam(eve,203.0.113.9): unknown user',
      expect: { user: 'eve', src_ip: '203.0.113.9', fields: { 'event.outcome': 'failure' } },
    },
  ],
}
