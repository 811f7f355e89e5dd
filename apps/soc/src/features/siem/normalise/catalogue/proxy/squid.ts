import { addressOf } from '../../addresses.ts'
import type { Parsed, ParseText } from '../../parsed.ts'
import { outcomeOfStatus, requestFields } from '../../scan/request.ts'
import { blankSeparated } from '../../scan/separated.ts'
import { counted } from '../../scan/traffic.ts'
import { momentOf } from '../../timestamps.ts'
import type { TextFormat } from '../log-format.ts'

const EPOCH = /^\d{9,11}\.\d{1,6}$/
const RESULT = /^([A-Z_]{3,40})[/:](\d{3}|[A-Z_]{3,40})$/

/** Squid's own format, and the combined one with the result of its cache behind it. */
const read: ParseText = (text, { receivedAt }) => {
  const isCombined = text.includes('] "')
  if (isCombined && !RESULT.test(text.slice(text.lastIndexOf(' ') + 1))) return undefined
  const values = blankSeparated(text, 20)
  // The tag of its child processes is no name of a program and stays before the time.
  const begin = values.findIndex((value) => EPOCH.test(value))
  if (begin === 0 || (begin === 1 && values[0]?.startsWith('(')))
    return readNative(values.slice(begin), receivedAt)
  return isCombined ? readCombined(values, receivedAt) : undefined
}

function readNative(values: string[], receivedAt: number): Parsed | undefined {
  const [time, took, client, code = '', bytes, method, url, user, hierarchy = '', type] = values
  const [, result, status] = RESULT.exec(code) ?? []
  if (!result || !client || !/^\d+$/.test(took ?? '')) return undefined
  const server = addressOf(hierarchy.slice(hierarchy.indexOf('/') + 1))
  return foundOf(
    { time, client, result, status, bytes, request: `${method} ${url}`, user, server, type },
    receivedAt,
  )
}

function readCombined(values: string[], receivedAt: number): Parsed | undefined {
  const [client, , user, time, request, status, bytes, referer, agent, code = ''] = values
  const [, result] = RESULT.exec(code) ?? []
  if (!result || !/^\d{3}$/.test(status ?? '')) return undefined
  return foundOf({ time, client, result, status, bytes, request, user, referer, agent }, receivedAt)
}

type Found = Partial<
  Record<
    | 'time'
    | 'client'
    | 'result'
    | 'status'
    | 'bytes'
    | 'request'
    | 'user'
    | 'server'
    | 'type'
    | 'referer'
    | 'agent',
    string | undefined
  >
>

function foundOf(found: Found, receivedAt: number): Parsed {
  const { time, client, result = '', status, user, server } = found
  const isDenied = result.includes('DENIED')
  return {
    source: 'squid',
    at: momentOf(time, receivedAt),
    user: user === '-' ? undefined : user,
    event_code: result,
    src_ip: addressOf(client),
    dst_ip: server,
    fields: counted({
      ...requestFields(found.request),
      'http.response.status_code': status === '000' ? undefined : status,
      'http.response.bytes': found.bytes,
      'http.response.mime_type': found.type,
      'http.request.referrer': found.referer,
      'user_agent.original': found.agent,
      'event.action': isDenied ? 'denied' : result.toLowerCase(),
      'event.outcome': isDenied ? 'failure' : outcomeOfStatus(status),
    }),
  }
}

export const squid: TextFormat = {
  id: 'proxy.squid',
  title: 'Squid access log',
  group: 'proxy',
  kind: 'text',
  ecs: 'web',
  ocsf: { class: 'http_activity', activity: 'other' },
  overrules: true,
  when: {
    programs: ['squid'],
    marks: [' TCP_', ' NONE/', ' NONE_NONE', ' TAG_NONE', ' UDP_', ' HIER_', '] "'],
  },
  read,
  samples: [
    {
      event:
        '1772532000.123    145 192.0.2.21 TCP_MISS/200 4500 GET http://www.example.net/a?b=1 mona HIER_DIRECT/203.0.113.80 text/html',
      expect: {
        at: '2026-03-03T10:00:00.123Z',
        source: 'squid',
        user: 'mona',
        event_code: 'TCP_MISS',
        src_ip: '192.0.2.21',
        dst_ip: '203.0.113.80',
        fields: {
          'http.request.method': 'GET',
          'url.original': 'http://www.example.net/a?b=1',
          'url.domain': 'www.example.net',
          'http.response.status_code': 200,
          'http.response.bytes': 4500,
          'event.outcome': 'success',
        },
      },
    },
    {
      event:
        '<30>Mar  3 10:00:00 proxy1 (squid-1)[4711]: 1772532000.123 0 192.0.2.21 TCP_DENIED/407 3901 CONNECT bad.example.net:443 - HIER_NONE/- text/html',
      expect: {
        host: 'proxy1',
        src_ip: '192.0.2.21',
        user: null,
        fields: {
          'url.domain': 'bad.example.net',
          'event.action': 'denied',
          'event.outcome': 'failure',
        },
      },
    },
    {
      event:
        '192.0.2.21 - mona [03/Mar/2026:10:00:00 +0000] "GET http://www.example.net/ HTTP/1.1" 200 4500 "-" "curl/8.0" TCP_HIT:HIER_NONE',
      expect: {
        user: 'mona',
        event_code: 'TCP_HIT',
        fields: { 'user_agent.original': 'curl/8.0' },
      },
    },
  ],
}
