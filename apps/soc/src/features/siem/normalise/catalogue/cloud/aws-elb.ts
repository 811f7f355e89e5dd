import type { ParseText } from '../../parsed.ts'
import { endpointOf } from '../../scan/endpoint.ts'
import { outcomeOfStatus, requestFields } from '../../scan/request.ts'
import { blankSeparated } from '../../scan/separated.ts'
import { counted, endFields } from '../../scan/traffic.ts'
import { momentOf } from '../../timestamps.ts'
import type { TextFormat } from '../log-format.ts'

const TYPES = ['http', 'https', 'h2', 'grpcs', 'ws', 'wss']
const TIME = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d+Z$/

/**
 * Application load balancers begin with the type of the request; of the classic ones the time and
 * the name may have been taken for the header of syslog, so that the client stands first.
 */
const read: ParseText = (text, { receivedAt }) => {
  const values = blankSeparated(text, 40)
  if (TYPES.includes(values[0] ?? '')) values.shift()
  const hasTime = TIME.test(values[0] ?? '')
  const [time, name] = hasTime ? values.splice(0, 2) : []
  const [client, target, , , , status = '', targetStatus, received, sent, request = '', agent] =
    values
  const source = endpointOf(client)
  if (!source.ip || !/^(?:\d{3}|-)$/.test(status) || !request.includes(' ')) return undefined
  const server = target === '-' ? {} : endpointOf(target)
  return {
    source: 'aws_elb',
    at: momentOf(time, receivedAt),
    host: name,
    event_code: status === '-' ? undefined : status,
    src_ip: source.ip,
    dst_ip: server.ip,
    fields: counted({
      ...endFields(source, server),
      ...requestFields(request),
      'http.response.status_code': status,
      'aws.elb.target_status': targetStatus,
      'http.request.bytes': received,
      'http.response.bytes': sent,
      'user_agent.original': agent,
      'tls.cipher': values[11],
      'tls.version': values[12],
      'event.action': values[19],
      'event.outcome': outcomeOfStatus(status),
    }),
  }
}

export const awsElb: TextFormat = {
  id: 'cloud.aws_elb',
  title: 'AWS load balancers (ALB and classic ELB)',
  group: 'cloud',
  kind: 'text',
  ecs: 'web',
  ocsf: { class: 'http_activity', activity: 'other' },
  overrules: true,
  when: {
    starts: TYPES.map((type) => `${type} 20`),
    marks: [' HTTP/1.1" "', ' HTTP/1.0" "', ' HTTP/2.0" "'],
  },
  read,
  samples: [
    {
      event:
        'https 2026-03-03T10:00:00.123456Z app/shop/50dc6c495c0c9188 203.0.113.9:41000 192.0.2.80:80 0.086 0.048 0.037 200 200 0 57 "GET https://www.example.net:443/a?b=1 HTTP/1.1" "curl/8.0" ECDHE-RSA-AES128-GCM-SHA256 TLSv1.2 arn:aws:elasticloadbalancing:eu-west-1:123456789012:targetgroup/shop/73e2d6bc24d8a067 "Root=1-58337281" "www.example.net" "session-reused" 0 2026-03-03T10:00:00.030000Z "forward" "-" "-"',
      expect: {
        at: '2026-03-03T10:00:00.123Z',
        source: 'aws_elb',
        event_code: '200',
        src_ip: '203.0.113.9',
        dst_ip: '192.0.2.80',
        fields: {
          'source.port': 41000,
          'destination.port': 80,
          'url.domain': 'www.example.net',
          'http.request.method': 'GET',
          'http.response.bytes': 57,
          'tls.version': 'TLSv1.2',
          'event.action': 'forward',
        },
      },
    },
    {
      event:
        '2026-03-03T10:00:00.123456Z shop-lb 203.0.113.9:41000 192.0.2.80:80 0.000073 0.001048 0.000057 404 404 0 29 "GET http://www.example.net:80/ HTTP/1.1" "curl/8.0" - -',
      expect: {
        at: '2026-03-03T10:00:00.123Z',
        host: 'shop-lb',
        process: null,
        src_ip: '203.0.113.9',
        fields: { 'event.outcome': 'failure' },
      },
    },
  ],
}
