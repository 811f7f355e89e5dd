import { addressOf } from '../../addresses.ts'
import { type ParseObject, type ParseText, textOf } from '../../parsed.ts'
import { endpointOf } from '../../scan/endpoint.ts'
import { outcomeOfStatus, requestFields, urlFields } from '../../scan/request.ts'
import { blankSeparated } from '../../scan/separated.ts'
import { counted } from '../../scan/traffic.ts'
import { momentOf } from '../../timestamps.ts'
import type { ObjectFormat, TextFormat } from '../log-format.ts'

/** The common format with `count "router" "http://server" 12ms` behind it. */
const readLine: ParseText = (text, { receivedAt }) => {
  if (!text.endsWith('ms')) return undefined
  const values = blankSeparated(text, 20)
  const [
    client,
    ,
    user,
    time,
    request,
    status = '',
    bytes,
    referer,
    agent,
    ,
    router,
    server = '',
    took = '',
  ] = values
  if (!/^\d{3}$/.test(status) || !/^\d+ms$/.test(took)) return undefined
  const to = endpointOf(server.slice(server.indexOf('://') + 3))
  return {
    source: 'traefik',
    at: momentOf(time, receivedAt),
    user: user === '-' ? undefined : user,
    event_code: status,
    src_ip: addressOf(client),
    dst_ip: to.ip,
    fields: counted({
      ...requestFields(request),
      'destination.port': to.port,
      'http.response.status_code': status,
      'http.response.bytes': bytes,
      'http.request.referrer': referer,
      'user_agent.original': agent,
      'traefik.router': router,
      'event.outcome': outcomeOfStatus(status),
    }),
  }
}

const readObject: ParseObject = (fields, { receivedAt }) => {
  const of = (name: string) => textOf(fields[name])
  const status = of('DownstreamStatus') ?? of('OriginStatus')
  const server = of('ServiceAddr')
  return {
    source: 'traefik',
    at: momentOf(of('StartUTC') ?? of('time') ?? of('StartLocal'), receivedAt),
    user: of('ClientUsername'),
    event_code: status,
    src_ip: addressOf(of('ClientHost')),
    dst_ip: endpointOf(server).ip,
    fields: counted({
      ...urlFields(of('RequestPath')),
      'url.domain': of('RequestHost'),
      'source.port': of('ClientPort'),
      'destination.port': endpointOf(server).port,
      'http.request.method': of('RequestMethod'),
      'http.response.status_code': status,
      'http.request.bytes': of('RequestContentSize'),
      'http.response.bytes': of('DownstreamContentSize'),
      'http.request.referrer': of('request_Referer'),
      'user_agent.original': of('request_User-Agent'),
      'event.outcome': outcomeOfStatus(status),
    }),
  }
}

const ABOUT = {
  group: 'proxy',
  ecs: 'web',
  ocsf: { class: 'http_activity', activity: 'other' },
} as const

export const traefik: TextFormat = {
  ...ABOUT,
  id: 'proxy.traefik',
  title: 'Traefik access log',
  kind: 'text',
  when: { marks: ['] "'] },
  read: readLine,
  samples: [
    {
      event:
        '203.0.113.9 - mona [03/Mar/2026:10:00:00 +0000] "GET /a HTTP/2.0" 401 17 "-" "curl/8.0" 7 "shop@docker" "http://192.0.2.80:8080" 3ms',
      expect: {
        at: '2026-03-03T10:00:00.000Z',
        source: 'traefik',
        user: 'mona',
        event_code: '401',
        src_ip: '203.0.113.9',
        dst_ip: '192.0.2.80',
        fields: { 'traefik.router': 'shop@docker', 'http.response.status_code': 401 },
      },
    },
  ],
}

export const traefikJson: ObjectFormat = {
  ...ABOUT,
  id: 'proxy.traefik_json',
  title: 'Traefik access log as JSON',
  kind: 'object',
  when: { names: [['DownstreamStatus', 'RequestMethod']] },
  read: readObject,
  samples: [
    {
      event: {
        ClientAddr: '203.0.113.9:41000',
        ClientHost: '203.0.113.9',
        ClientPort: '41000',
        ClientUsername: '-',
        DownstreamStatus: 200,
        RequestHost: 'shop.example.net',
        RequestMethod: 'GET',
        RequestPath: '/a?b=1',
        ServiceAddr: '192.0.2.80:8080',
        StartUTC: '2026-03-03T10:00:00.123456789Z',
        level: 'info',
        time: '2026-03-03T10:00:01Z',
      },
      expect: {
        at: '2026-03-03T10:00:00.123Z',
        source: 'traefik',
        user: null,
        event_code: '200',
        src_ip: '203.0.113.9',
        dst_ip: '192.0.2.80',
        fields: {
          'url.domain': 'shop.example.net',
          'source.port': 41000,
          'event.outcome': 'success',
        },
      },
    },
  ],
}
