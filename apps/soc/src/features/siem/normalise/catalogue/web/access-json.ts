import { addressOf } from '../../addresses.ts'
import { type ParseObject, pick } from '../../parsed.ts'
import { keptFields, numberIn } from '../../scan/kept-fields.ts'
import { requestFields, urlFields } from '../../scan/request.ts'
import { momentOf } from '../../timestamps.ts'
import type { ObjectFormat } from '../log-format.ts'

/** Requests as nginx writes them by its variables, Caddy, and AWS WAF: under the names of web rules. */
const read: ParseObject = (fields, { receivedAt }) => {
  const of = (...names: string[]) => pick(fields, names)
  const status = of('status', 'responseCodeSent')
  const asked = requestFields(of('request'))
  const stem = of('httpRequest.uri')
  const query = of('httpRequest.args')
  const uri =
    of('request_uri', 'request.uri') ??
    (stem && query ? `${stem}?${query}` : stem) ??
    asked['url.original']
  const method = of('request_method', 'request.method', 'httpRequest.httpMethod')
  const agent = of('http_user_agent', 'request.headers.User-Agent')
  const url = urlFields(typeof uri === 'string' ? uri : undefined)
  const client = of('remote_addr', 'request.remote_ip', 'request.client_ip', 'httpRequest.clientIp')
  return {
    source: 'web',
    at: momentOf(of('time_iso8601', 'time_local', 'msec', 'ts'), receivedAt),
    user: of('remote_user', 'user_id'),
    event_code: status,
    src_ip: addressOf(client),
    fields: keptFields({
      'c-ip': client,
      'cs-method': method ?? asked['http.request.method'],
      'c-uri': uri,
      'cs-uri-stem': url['url.path'],
      'cs-uri-query': url['url.query'],
      'cs-host': of('host', 'http_host', 'server_name', 'request.host'),
      'cs-referer': of('http_referer', 'request.headers.Referer'),
      'cs-user-agent': agent,
      'sc-status': numberIn(status),
      ...url,
      'http.request.method': method ?? asked['http.request.method'],
      'http.response.status_code': numberIn(status),
      'user_agent.original': agent,
    }),
  }
}

export const accessJson: ObjectFormat = {
  id: 'web.access_json',
  title: 'Requests as JSON, of nginx, Caddy and AWS WAF',
  group: 'web',
  kind: 'object',
  ecs: 'web',
  ocsf: { class: 'http_activity', activity: 'other' },
  when: {
    names: [
      ['request_uri', 'status'],
      ['remote_addr', 'request', 'status'],
      ['request.uri', 'request.method', 'status'],
      ['httpRequest.httpMethod', 'webaclId'],
    ],
  },
  read,
  samples: [
    {
      event: {
        time_iso8601: '2026-03-03T10:00:00+00:00',
        remote_addr: '192.0.2.7',
        remote_user: 'eve',
        request: 'GET /a?b=1 HTTP/1.1',
        status: '404',
        http_user_agent: 'curl/8.0',
      },
      expect: {
        at: '2026-03-03T10:00:00.000Z',
        source: 'web',
        user: 'eve',
        event_code: '404',
        src_ip: '192.0.2.7',
        fields: {
          'cs-method': 'GET',
          'c-uri': '/a?b=1',
          'cs-uri-query': 'b=1',
          'cs-user-agent': 'curl/8.0',
          'sc-status': 404,
        },
      },
    },
    {
      event: {
        level: 'info',
        ts: 1772532000.5,
        logger: 'http.log.access',
        msg: 'handled request',
        request: {
          ...{ remote_ip: '192.0.2.7', method: 'GET', host: 'www.example.test', uri: '/a?b=1' },
          headers: { 'User-Agent': ['curl/8.0'] },
        },
        status: 200,
      },
      expect: {
        at: '2026-03-03T10:00:00.500Z',
        src_ip: '192.0.2.7',
        fields: { 'c-uri': '/a?b=1', 'cs-host': 'www.example.test', 'sc-status': 200 },
      },
    },
  ],
}
