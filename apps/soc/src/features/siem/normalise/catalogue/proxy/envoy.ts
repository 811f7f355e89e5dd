import { addressOf } from '../../addresses.ts'
import { type ParseObject, type ParseText, textOf } from '../../parsed.ts'
import { endpointOf } from '../../scan/endpoint.ts'
import { outcomeOfStatus, requestFields, urlFields } from '../../scan/request.ts'
import { blankSeparated } from '../../scan/separated.ts'
import { counted, endFields } from '../../scan/traffic.ts'
import { momentOf } from '../../timestamps.ts'
import type { ObjectFormat, TextFormat } from '../log-format.ts'

const TIME = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d/

/** Envoy's default line, and Istio's, which says more between the flags and the sizes. */
const readLine: ParseText = (text, { receivedAt }) => {
  const values = blankSeparated(text, 40)
  const [time = '', request = '', status = '', flags] = values
  if (!TIME.test(time) || !/^\d{1,3}$/.test(status) || !request.includes(' ')) return undefined
  const isIstio = !/^\d+$/.test(values[4] ?? '')
  const [received, sent, , , forwarded = '', agent, id, authority, upstream] = values.slice(
    isIstio ? 7 : 4,
  )
  const direct = isIstio ? endpointOf(values[19]) : {}
  const server = endpointOf(upstream === '-' ? undefined : upstream)
  const client = addressOf(forwarded.split(',', 1)[0]) ?? direct.ip
  return {
    source: 'envoy',
    at: momentOf(time, receivedAt),
    event_code: status,
    src_ip: client,
    dst_ip: server.ip,
    fields: counted({
      ...endFields(client === direct.ip ? direct : {}, server),
      ...requestFields(request),
      'url.domain': authority,
      'http.response.status_code': status,
      'http.request.bytes': received,
      'http.response.bytes': sent,
      'user_agent.original': agent,
      'http.request.id': id,
      'envoy.flags': flags,
      'event.outcome': status === '0' ? 'failure' : outcomeOfStatus(status),
    }),
  }
}

const readObject: ParseObject = (fields, { receivedAt }) => {
  const of = (name: string) => textOf(fields[name])
  const source = endpointOf(
    of('downstream_remote_address') ?? of('downstream_direct_remote_address'),
  )
  const destination = endpointOf(of('upstream_host'))
  const status = of('response_code') ?? of('status')
  return {
    source: 'envoy',
    at: momentOf(of('start_time'), receivedAt),
    event_code: status,
    src_ip: addressOf(of('x_forwarded_for')?.split(',', 1)[0]) ?? source.ip,
    dst_ip: destination.ip,
    fields: counted({
      ...endFields(source, destination),
      ...urlFields(of('path')),
      'url.domain': of('authority'),
      'http.request.method': of('method'),
      'http.response.status_code': status,
      'http.request.bytes': of('bytes_received'),
      'http.response.bytes': of('bytes_sent'),
      'user_agent.original': of('user_agent'),
      'event.outcome': outcomeOfStatus(status),
    }),
  }
}

const ABOUT = {
  group: 'proxy',
  ecs: 'web',
  ocsf: { class: 'http_activity', activity: 'other' },
} as const

export const envoy: TextFormat = {
  ...ABOUT,
  id: 'proxy.envoy',
  title: 'Envoy and Istio access log',
  kind: 'text',
  when: { starts: ['[20'] },
  read: readLine,
  samples: [
    {
      event:
        '[2026-03-03T10:00:00.123Z] "GET /a?b=1 HTTP/1.1" 200 - 0 1234 5 4 "203.0.113.9,192.0.2.1" "curl/8.0" "1d9b6d0c" "www.example.net" "192.0.2.80:8080"',
      expect: {
        at: '2026-03-03T10:00:00.123Z',
        source: 'envoy',
        event_code: '200',
        src_ip: '203.0.113.9',
        dst_ip: '192.0.2.80',
        fields: {
          'http.request.method': 'GET',
          'url.path': '/a',
          'url.domain': 'www.example.net',
          'destination.port': 8080,
          'http.response.bytes': 1234,
          'user_agent.original': 'curl/8.0',
        },
      },
    },
    {
      event:
        '[2026-03-03T10:00:00.123Z] "POST /login HTTP/2" 503 UF upstream_reset_before_response_started{connection_failure} - "-" 12 91 37 - "-" "curl/8.0" "1d9b6d0c" "shop.example.net" "192.0.2.80:8080" outbound|80||shop.default.svc.cluster.local - 192.0.2.90:80 192.0.2.7:41000 - default',
      expect: {
        event_code: '503',
        src_ip: '192.0.2.7',
        dst_ip: '192.0.2.80',
        fields: { 'event.outcome': 'failure', 'url.domain': 'shop.example.net' },
      },
    },
  ],
}

export const envoyJson: ObjectFormat = {
  ...ABOUT,
  id: 'proxy.envoy_json',
  title: 'Envoy and Istio access log as JSON',
  kind: 'object',
  when: {
    names: [
      ['downstream_remote_address', 'response_code'],
      ['upstream_cluster', 'response_code'],
    ],
  },
  read: readObject,
  samples: [
    {
      event: {
        start_time: '2026-03-03T10:00:00.123Z',
        method: 'GET',
        path: '/a',
        authority: 'www.example.net',
        response_code: 403,
        bytes_sent: 10,
        downstream_remote_address: '203.0.113.9:41000',
        upstream_host: '192.0.2.80:8080',
        upstream_cluster: 'inbound|8080||',
        user_agent: 'curl/8.0',
      },
      expect: {
        at: '2026-03-03T10:00:00.123Z',
        source: 'envoy',
        event_code: '403',
        src_ip: '203.0.113.9',
        dst_ip: '192.0.2.80',
        fields: {
          'source.port': 41000,
          'event.outcome': 'failure',
          'http.response.status_code': 403,
        },
      },
    },
  ],
}
