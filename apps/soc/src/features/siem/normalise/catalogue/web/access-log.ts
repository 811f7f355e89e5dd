import { addressOf } from '../../addresses.ts'
import type { Fields } from '../../fields.ts'
import type { ParseText } from '../../parsed.ts'
import { momentOf } from '../../timestamps.ts'
import type { TextFormat } from '../log-format.ts'

const QUOTED = String.raw`"([^"\\]*(?:\\.[^"\\]*)*)"`
// Common and combined format; a virtual host may stand first, a server may add words at the end.
// In two steps, so that the rest of a line is read once, whatever stands before it.
// Behind proxies the client is the list of `X-Forwarded-For`.
const CLIENT = /^(?:(\S+:\d+) )?((?:[^\s,]+, )*\S+) (\S+) (.+?) \[([^\]]{20,32})\] (?=")/
const ANSWER = new RegExp(
  String.raw`^${QUOTED} (\d{3}) (\d+|-)(?: ${QUOTED} ${QUOTED})?(?: (.*))?$`,
)
const REQUEST = /^([A-Z][A-Z_-]*) (\S.*?)(?: (HTTP\/\d(?:\.\d)?))?$/

/** Apache's and nginx's access log, under the names of the W3C format, which Sigma's web rules use. */
export const parseAccessLog: ParseText = (text, { receivedAt }) => {
  const came = text.includes('] "') ? CLIENT.exec(text) : null
  const answered = came && ANSWER.exec(text.slice(came[0].length))
  if (!answered) return undefined
  const [, virtualHost, client, , user, time] = came
  const [, request = '', status, bytes, referer, agent, rest] = answered
  const fields: Fields = { 'c-ip': client ?? '', 'sc-status': Number(status) }
  if (bytes !== '-') fields['sc-bytes'] = Number(bytes)
  const [isRequest, method = '', uri = '', version] = REQUEST.exec(request) ?? []
  if (isRequest) {
    const [stem = '', ...query] = uri.split('?')
    fields['cs-method'] = method
    fields['c-uri'] = uri
    fields['cs-uri-stem'] = stem
    if (query.length > 0) fields['cs-uri-query'] = query.join('?')
    if (version) fields['cs-version'] = version
  }
  if (referer && referer !== '-') fields['cs-referer'] = referer
  if (agent && agent !== '-') fields['cs-user-agent'] = agent
  if (user && user !== '-') fields['cs-username'] = user
  if (virtualHost) fields['cs-host'] = virtualHost
  if (rest) fields['x-rest'] = rest
  addShared(fields)
  return {
    source: 'web',
    at: momentOf(time, receivedAt),
    severity: Number(status) >= 500 ? 'medium' : undefined,
    user: user === '-' ? undefined : user,
    event_code: status,
    src_ip: addressOf(client),
    fields,
  }
}

const SHARED: [name: string, place: string][] = [
  ['url.original', 'c-uri'],
  ['url.domain', 'cs-host'],
  ['http.request.method', 'cs-method'],
  ['http.response.status_code', 'sc-status'],
  ['user_agent.original', 'cs-user-agent'],
]

/** Under the names of ECS, too, which other senders of requests use. */
function addShared(fields: Fields) {
  for (const [name, place] of SHARED) {
    const value = fields[place]
    if (value !== undefined) fields[name] = value
  }
}

export const accessLog: TextFormat = {
  id: 'web.access',
  title: 'Access logs of Apache and nginx, common and combined',
  group: 'web',
  kind: 'text',
  ecs: 'web',
  ocsf: { class: 'http_activity', activity: 'other' },
  when: { marks: ['] "'] },
  read: parseAccessLog,
  samples: [
    {
      event:
        '192.0.2.7 - eve [03/Mar/2026:10:00:00 +0000] "GET /a?b=1 HTTP/1.1" 404 12 "-" "curl/8.0"',
      expect: {
        at: '2026-03-03T10:00:00.000Z',
        source: 'web',
        user: 'eve',
        event_code: '404',
        src_ip: '192.0.2.7',
        fields: {
          'cs-method': 'GET',
          'c-uri': '/a?b=1',
          'sc-status': 404,
          'http.response.status_code': 404,
          'url.original': '/a?b=1',
        },
      },
    },
    {
      event:
        '203.0.113.9, 198.51.100.2 - - [03/Mar/2026:10:00:00 +0000] "GET / HTTP/1.1" 200 12 "-" "curl/8.0"',
      expect: { user: null, src_ip: '203.0.113.9', event_code: '200' },
    },
  ],
}
