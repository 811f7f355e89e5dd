import type { ParseText } from '../../parsed.ts'
import { cursorOver } from '../../scan/cursor.ts'
import { endpointOf } from '../../scan/endpoint.ts'
import { counted, endFields } from '../../scan/traffic.ts'
import { following, within, wordAfter } from '../../scan/words.ts'
import { severityOf } from '../../severity.ts'
import { momentOf } from '../../timestamps.ts'
import type { TextFormat } from '../log-format.ts'

const TIME = /^[A-Z][a-z]{2} [A-Z][a-z]{2} +\d{1,2} \d\d:\d\d:\d\d(?:\.\d{1,9})? \d{4}$/
const LEVEL = /^(?:([\w.-]{1,32}):)?(emerg|alert|crit|error|warn|notice|info|debug|trace[1-8])$/

/** `[time] [core:error] [pid 12:tid 34] [client 192.0.2.7:41000] AH00126: …`, with ModSecurity's tags. */
const read: ParseText = (text, { receivedAt }) => {
  const line = cursorOver(text)
  const time = line.bracketed()
  if (!time || !TIME.test(time)) return undefined
  let module: string | undefined
  let level: string | undefined
  let pid: string | undefined
  let client: string | undefined
  for (let tried = 0; tried < 6; tried += 1) {
    line.skipSpaces()
    const part = line.bracketed()
    if (part === undefined) break
    const [isLevel, of, word] = LEVEL.exec(part) ?? []
    if (isLevel) [module, level] = [of, word]
    else if (part.startsWith('pid ')) pid = part.slice(4).split(':', 1)[0]
    else if (part.startsWith('client ')) client = part.slice(7)
  }
  if (!level) return undefined
  const body = line.rest()
  const code = /^(?:\([^)]{1,60}\)[^:]{1,120}: )?(AH\d{5}): /.exec(body)?.[1]
  const rule = within(body, '[id "', '"]')
  const source = endpointOf(client)
  const user = within(body, 'user ', ':')
  return {
    source: 'apache',
    at: momentOf(time, receivedAt),
    severity: severityOf(level.startsWith('trace') ? 'debug' : level),
    process: 'apache',
    user: code === 'AH01617' || code === 'AH01618' ? user : undefined,
    event_code: rule ?? code,
    src_ip: source.ip,
    fields: counted({
      ...endFields(source, {}),
      'process.pid': pid,
      'log.level': level,
      'apache.module': module,
      'http.request.referrer': following(body, ', referer: ', ', '),
      'rule.id': rule,
      'rule.name': within(body, '[msg "', '"]'),
      'url.path': within(body, '[uri "', '"]'),
      'url.domain': within(body, '[hostname "', '"]'),
      'http.response.status_code': wordAfter(body, 'Access denied with code '),
      'event.action': body.includes('Access denied') ? 'denied' : undefined,
      'event.outcome': body.includes('denied') || code === 'AH01617' ? 'failure' : undefined,
    }),
  }
}

const DAYS = ['Sun', 'Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat']

export const apacheError: TextFormat = {
  id: 'web.apache_error',
  title: 'Apache error log, with ModSecurity',
  group: 'web',
  kind: 'text',
  ecs: 'web',
  ocsf: { class: 'web_resources_activity', activity: 'other' },
  overrules: true,
  when: { programs: ['apache2', 'httpd', 'apache'], starts: DAYS.map((day) => `[${day} `) },
  read,
  samples: [
    {
      event:
        '[Tue Mar 03 10:00:00.123456 2026] [authz_core:error] [pid 4711:tid 140001] [client 203.0.113.9:41000] AH01630: client denied by server configuration: /srv/www/.git, referer: http://bad.example.net/',
      expect: {
        at: '2026-03-03T10:00:00.123Z',
        source: 'apache',
        severity: 'high',
        event_code: 'AH01630',
        src_ip: '203.0.113.9',
        fields: { 'source.port': 41000, 'process.pid': 4711, 'event.outcome': 'failure' },
      },
    },
    {
      event:
        '[Tue Mar 03 10:00:00 2026] [error] [client 203.0.113.9] File does not exist: /srv/www/favicon.ico',
      expect: { at: '2026-03-03T10:00:00.000Z', src_ip: '203.0.113.9', severity: 'high' },
    },
    {
      event:
        '[Tue Mar 03 10:00:00.123456 2026] [security2:error] [pid 4711] [client 203.0.113.9:41000] ModSecurity: Access denied with code 403 (phase 2). Pattern match "x" at ARGS:id. [file "/etc/crs/a.conf"] [line "55"] [id "942100"] [msg "SQL Injection"] [severity "CRITICAL"] [hostname "www.example.net"] [uri "/a"] [unique_id "Zx1"]',
      expect: {
        event_code: '942100',
        fields: {
          'rule.name': 'SQL Injection',
          'url.path': '/a',
          'http.response.status_code': 403,
        },
      },
    },
  ],
}
