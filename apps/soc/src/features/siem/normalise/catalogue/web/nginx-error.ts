import { addressOf } from '../../addresses.ts'
import type { ParseText } from '../../parsed.ts'
import { requestFields } from '../../scan/request.ts'
import { counted } from '../../scan/traffic.ts'
import { following, within } from '../../scan/words.ts'
import { severityOf } from '../../severity.ts'
import { momentOf } from '../../timestamps.ts'
import type { TextFormat } from '../log-format.ts'

const HEAD =
  /^(\d{4}\/\d\d\/\d\d \d\d:\d\d:\d\d) \[(\w{3,10})\] (\d{1,10})#(\d{1,10}): (?:\*(\d{1,20}) )?/

/** `2026/03/03 10:00:00 [error] 12#12: *7 open() "…" failed …, client: …, server: …, request: "…"`. */
const read: ParseText = (text, { receivedAt }) => {
  const [head, time, level, pid, thread] = HEAD.exec(text) ?? []
  if (head === undefined) return undefined
  const body = text.slice(head.length)
  const user = within(body, 'user "', '"')
  return {
    source: 'nginx',
    at: momentOf(time, receivedAt),
    severity: severityOf(level),
    process: 'nginx',
    user,
    src_ip: addressOf(following(body, ', client: ', ',')),
    fields: counted({
      ...requestFields(within(body, 'request: "', '"')),
      'process.pid': pid,
      'process.thread.id': thread,
      'log.level': level,
      'url.domain': (within(body, 'host: "', '"') ?? following(body, ', server: ', ','))?.split(
        ':',
        1,
      )[0],
      'http.request.referrer': within(body, 'referrer: "', '"'),
      'nginx.upstream': within(body, 'upstream: "', '"'),
      'event.reason': following(body, '', ', client: '),
      'event.outcome': user ? 'failure' : undefined,
    }),
  }
}

export const nginxError: TextFormat = {
  id: 'web.nginx_error',
  title: 'nginx error log',
  group: 'web',
  kind: 'text',
  ecs: 'web',
  ocsf: { class: 'web_resources_activity', activity: 'other' },
  overrules: true,
  when: {
    programs: ['nginx'],
    marks: [
      ' [error] ',
      ' [crit] ',
      ' [warn] ',
      ' [alert] ',
      ' [emerg] ',
      ' [notice] ',
      ' [info] ',
    ],
  },
  read,
  samples: [
    {
      event:
        '2026/03/03 10:00:00 [error] 4711#4712: *7 open() "/srv/www/wp-login.php" failed (2: No such file or directory), client: 203.0.113.9, server: www.example.net, request: "GET /wp-login.php HTTP/1.1", host: "www.example.net", referrer: "http://bad.example.net/"',
      expect: {
        at: '2026-03-03T10:00:00.000Z',
        source: 'nginx',
        severity: 'high',
        process: 'nginx',
        src_ip: '203.0.113.9',
        fields: {
          'process.pid': 4711,
          'url.path': '/wp-login.php',
          'http.request.method': 'GET',
          'url.domain': 'www.example.net',
        },
      },
    },
    {
      event:
        '<187>Mar  3 10:00:00 web1 nginx: 2026/03/03 10:00:00 [error] 4711#0: *8 user "eve": password mismatch, client: 203.0.113.9, server: _, request: "GET /admin HTTP/1.1", host: "www.example.net"',
      expect: { host: 'web1', user: 'eve', fields: { 'event.outcome': 'failure' } },
    },
  ],
}
