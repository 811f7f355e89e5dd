import type { Parsed, ParseText } from '../../parsed.ts'
import { endpointOf } from '../../scan/endpoint.ts'
import { outcomeOfStatus, requestFields } from '../../scan/request.ts'
import { counted, endFields } from '../../scan/traffic.ts'
import { bare, within, wordAfter } from '../../scan/words.ts'
import { momentOf } from '../../timestamps.ts'
import type { TextFormat } from '../log-format.ts'

const TIMERS = /^[+-]?\d{1,12}(?:\/[+-]?\d{1,12}){2,4}$/

/** HAProxy: `192.0.2.7:41000 [03/Mar/2026:10:00:00.123] front~ back/srv1 0/0/1/0/2 200 168 …`. */
const read: ParseText = (line, { receivedAt }) => {
  // In a file its own tag may be all there is of a header.
  const text = line.startsWith('haproxy[') ? line.slice(line.indexOf(': ') + 2) : line
  const time = within(text, ' [', '] ')
  const client = endpointOf(text.slice(0, Math.max(0, text.indexOf(' ['))))
  if (time && /^\d\d\/[A-Z][a-z]{2}\/\d{4}:/.test(time) && text.indexOf(' [') < 64) {
    const rest = text.slice(text.indexOf('] ') + 2)
    return { source: 'haproxy', at: momentOf(time, receivedAt), ...readProxied(rest, client) }
  }
  return text.startsWith('Connect from ') ? readConnect(text) : readState(text)
}

function readProxied(text: string, client: ReturnType<typeof endpointOf>): Parsed {
  const quote = text.indexOf('"')
  const words = (quote < 0 ? text : text.slice(0, quote)).split(' ', 30)
  const timers = words.findIndex((word) => TIMERS.test(word))
  const [frontend = '', backend = ''] = words
  const isHttp = timers >= 0 && (words[timers]?.split('/').length ?? 0) > 3
  const status = isHttp ? words[timers + 1] : undefined
  const bytes = words[timers + (isHttp ? 2 : 1)]
  const request = quote < 0 ? undefined : text.slice(quote + 1, text.lastIndexOf('"'))
  const isError = timers < 0
  return {
    event_code: status,
    src_ip: client.ip,
    fields: counted({
      ...endFields(client, {}),
      ...(isHttp ? requestFields(request) : {}),
      'haproxy.frontend': bare(frontend).replace('~', ''),
      'haproxy.backend': isError ? undefined : backend.split('/', 1)[0],
      'haproxy.server': isError ? undefined : backend.slice(backend.indexOf('/') + 1),
      'haproxy.timers': isError ? undefined : words[timers],
      'http.response.status_code': status === '-1' ? undefined : status,
      'http.response.bytes': isHttp ? bytes : undefined,
      'network.bytes': isHttp || isError ? undefined : bytes,
      'haproxy.termination': isError ? undefined : words[timers + (isHttp ? 5 : 2)],
      'event.outcome': isError ? 'failure' : outcomeOfStatus(status),
      'event.reason': isError ? text.slice(frontend.length).trim() : undefined,
    }),
  }
}

/** `Connect from 192.0.2.7:41000 to 198.51.100.2:80 (front/HTTP)`. */
function readConnect(text: string): Parsed {
  const source = endpointOf(wordAfter(text, 'Connect from '))
  const destination = endpointOf(wordAfter(text, ' to '))
  return {
    source: 'haproxy',
    src_ip: source.ip,
    dst_ip: destination.ip,
    fields: counted({ ...endFields(source, destination), 'event.action': 'connect' }),
  }
}

/** `Server back/srv1 is DOWN, reason: …`. */
function readState(text: string): Parsed | undefined {
  const isState = /^(?:Server|Proxy|Backend|backend) \S{1,200} (?:is|has|started|stopped)/.test(
    text,
  )
  if (!isState) return undefined
  return {
    source: 'haproxy',
    severity: text.includes(' DOWN') ? 'high' : undefined,
    fields: counted({ 'haproxy.server': wordAfter(text, ' ') }),
  }
}

export const haproxy: TextFormat = {
  id: 'proxy.haproxy',
  title: 'HAProxy (HTTP and TCP)',
  group: 'proxy',
  kind: 'text',
  ecs: 'web',
  ocsf: { class: 'http_activity', activity: 'other' },
  when: { programs: ['haproxy'], marks: [' ---- ', '/<NOSRV> ', ' -- '] },
  read,
  samples: [
    {
      event:
        '<134>Mar  3 10:00:00 lb1 haproxy[4711]: 203.0.113.9:41000 [03/Mar/2026:10:00:00.123] front~ back/srv1 0/0/1/0/2 404 168 - - ---- 6/6/0/0/0 0/0 {www.example.net||} "GET /a?b=1 HTTP/1.1"',
      expect: {
        source: 'haproxy',
        host: 'lb1',
        process: 'haproxy',
        event_code: '404',
        src_ip: '203.0.113.9',
        fields: {
          'source.port': 41000,
          'http.request.method': 'GET',
          'url.original': '/a?b=1',
          'http.response.status_code': 404,
          'haproxy.backend': 'back',
          'event.outcome': 'failure',
        },
      },
    },
    {
      event:
        'haproxy[4711]: 203.0.113.9:41000 [03/Mar/2026:10:00:00.123] fnt bck/srv1 0/0/5007 212 -- 0/0/0/0/3 0/0',
      program: 'haproxy',
      expect: { at: '2026-03-03T10:00:00.123Z', src_ip: '203.0.113.9' },
    },
    {
      event:
        '203.0.113.9:41000 [03/Mar/2026:10:00:00.123] fnt bck/srv1 0/0/5007 212 -- 0/0/0/0/3 0/0',
      expect: {
        at: '2026-03-03T10:00:00.123Z',
        src_ip: '203.0.113.9',
        fields: { 'network.bytes': 212, 'haproxy.server': 'srv1', 'haproxy.termination': '--' },
      },
    },
    {
      event:
        '<133>Mar  3 10:00:00 lb1 haproxy[4711]: Connect from 203.0.113.9:41000 to 198.51.100.2:80 (front/HTTP)',
      expect: { src_ip: '203.0.113.9', dst_ip: '198.51.100.2', fields: { 'destination.port': 80 } },
    },
  ],
}
