import { addressOf } from '../../addresses.ts'
import type { ParseText } from '../../parsed.ts'
import { outcomeOfStatus, requestFields } from '../../scan/request.ts'
import { blankSeparated } from '../../scan/separated.ts'
import { counted } from '../../scan/traffic.ts'
import { momentOf } from '../../timestamps.ts'
import type { TextFormat } from '../log-format.ts'

const OPERATION = /^(?:REST|WEBSITE|SOAP|BATCH|S3)\.[A-Z_.0-9]{3,64}$/

/** `owner bucket [time] address requester id operation key "request" status error sent size …`. */
const read: ParseText = (text, { receivedAt }) => {
  const values = blankSeparated(text, 40)
  const [owner, bucket, time, client, requester, id, operation = '', key, request, status] = values
  if (!OPERATION.test(operation) || !/^\d{3}$|^-$/.test(status ?? '')) return undefined
  const [error, sent, size, , , referer, agent] = values.slice(10)
  return {
    source: 'aws_s3',
    at: momentOf(time, receivedAt),
    user: requester === '-' ? undefined : requester,
    event_code: operation,
    src_ip: addressOf(client),
    fields: counted({
      ...requestFields(request),
      'aws.s3.bucket': bucket,
      'aws.s3.owner': owner,
      'aws.s3.key': key,
      'event.action': operation,
      'event.outcome': outcomeOfStatus(status),
      'event.reason': error,
      'http.response.status_code': status,
      'http.response.bytes': sent,
      'file.size': size,
      'http.request.referrer': referer,
      'http.request.id': id,
      'user_agent.original': agent,
    }),
  }
}

export const awsS3: TextFormat = {
  id: 'cloud.aws_s3',
  title: 'AWS S3 server access log',
  group: 'cloud',
  kind: 'text',
  ecs: 'web',
  ocsf: { class: 'api_activity', activity: 'other' },
  when: { marks: [' REST.', ' WEBSITE.', ' SOAP.', ' BATCH.', ' S3.'] },
  read,
  samples: [
    {
      event:
        '79a59df900b949e55d96a1e698fbacedfd6e09d98eacf8f8d5218e7cd47ef2be backups [03/Mar/2026:10:00:00 +0000] 203.0.113.9 arn:aws:iam::123456789012:user/mona 3E57427F3EXAMPLE REST.GET.OBJECT db/dump.sql "GET /backups/db/dump.sql HTTP/1.1" 403 AccessDenied 243 - 7 - "-" "aws-cli/2.0" - x1== SigV4 ECDHE-RSA-AES128-GCM-SHA256 AuthHeader backups.s3.amazonaws.com TLSv1.2',
      expect: {
        at: '2026-03-03T10:00:00.000Z',
        source: 'aws_s3',
        user: 'arn:aws:iam::123456789012:user/mona',
        event_code: 'REST.GET.OBJECT',
        src_ip: '203.0.113.9',
        fields: {
          'aws.s3.bucket': 'backups',
          'aws.s3.key': 'db/dump.sql',
          'http.response.status_code': 403,
          'event.outcome': 'failure',
          'event.reason': 'AccessDenied',
        },
      },
    },
  ],
}
