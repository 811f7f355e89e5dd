import { addressOf } from '../../addresses.ts'
import type { ParseText } from '../../parsed.ts'
import { outcomeOfStatus } from '../../scan/request.ts'
import { counted } from '../../scan/traffic.ts'
import { momentOf } from '../../timestamps.ts'
import type { TextFormat } from '../log-format.ts'

const MOST_COLUMNS = 60

/** CloudFront's standard log: columns with tabs between them, texts encoded as in addresses. */
const read: ParseText = (text, { receivedAt }) => {
  const values = text.split('\t', MOST_COLUMNS)
  const [date = '', time, edge, bytes, client, method, distribution, path, status = ''] = values
  const [referer, agent, query, , result, id, host, protocol, sent] = values.slice(9)
  if (!/^\d{4}-\d\d-\d\d$/.test(date) || !/^\d{3}$/.test(status)) return undefined
  return {
    source: 'aws_cloudfront',
    at: momentOf(`${date} ${time}`, receivedAt),
    event_code: status,
    src_ip: addressOf(client),
    fields: counted({
      'http.request.method': method,
      'url.domain': host && host !== '-' ? host : distribution,
      'url.path': path,
      'url.original': query && query !== '-' ? `${path}?${query}` : path,
      'url.query': query,
      'http.response.status_code': status,
      'http.response.bytes': bytes,
      'http.request.bytes': sent,
      'http.request.referrer': decoded(referer),
      'user_agent.original': decoded(agent),
      'http.request.id': id,
      'network.protocol': protocol,
      'aws.cloudfront.edge': edge,
      'aws.cloudfront.result': result,
      'event.outcome': outcomeOfStatus(status),
    }),
  }
}

/** Encoded once, and its percent signs again. */
function decoded(text: string | undefined): string | undefined {
  if (!text?.includes('%')) return text
  try {
    return decodeURIComponent(text.replaceAll('%25', '%'))
  } catch {
    return text
  }
}

export const awsCloudfront: TextFormat = {
  id: 'cloud.aws_cloudfront',
  title: 'AWS CloudFront standard log',
  group: 'cloud',
  kind: 'text',
  ecs: 'web',
  ocsf: { class: 'http_activity', activity: 'other' },
  when: { marks: ['.cloudfront.net\t'] },
  read,
  samples: [
    {
      event:
        '2026-03-03\t10:00:00\tAMS50-C1\t2390\t203.0.113.9\tGET\td111111abcdef8.cloudfront.net\t/a.html\t404\t-\tcurl/8.0%20(x86)\tb=1\t-\tError\tSOX4xwn4XV6Q4rgb7XiVGOHms_BGlTAC4KyHmureZmBNrjGdRLiNIQ==\twww.example.net\thttps\t23\t0.001\t-\tTLSv1.3\tTLS_AES_128_GCM_SHA256\tError\tHTTP/2.0',
      expect: {
        at: '2026-03-03T10:00:00.000Z',
        source: 'aws_cloudfront',
        event_code: '404',
        src_ip: '203.0.113.9',
        fields: {
          'url.domain': 'www.example.net',
          'url.original': '/a.html?b=1',
          'user_agent.original': 'curl/8.0 (x86)',
          'http.response.bytes': 2390,
        },
      },
    },
  ],
}
