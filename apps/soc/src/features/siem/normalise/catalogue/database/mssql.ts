import { addressOf } from '../../addresses.ts'
import type { ParseText } from '../../parsed.ts'
import { counted } from '../../scan/traffic.ts'
import { within } from '../../scan/words.ts'
import { momentOf } from '../../timestamps.ts'
import type { TextFormat } from '../log-format.ts'

const HEAD = /^(\d{4}-\d\d-\d\d \d\d:\d\d:\d\d\.\d{2,7}) (Logon|Server|Backup|spid\d{1,6}s?) {2,}/

/** SQL Server's ERRORLOG: `2026-03-03 10:00:00.12 Logon       Login failed for user 'eve'. …`. */
const read: ParseText = (text, { receivedAt }) => {
  const [head, time, writer] = HEAD.exec(text) ?? []
  if (head === undefined) return undefined
  const body = text.slice(head.length)
  const [, number, level] = /^Error: (\d{1,8}), Severity: (\d{1,2})/.exec(body) ?? []
  const isFailed = body.startsWith('Login failed')
  const isIn = body.startsWith('Login succeeded')
  const client = within(body, '[CLIENT: ', ']')
  return {
    source: 'mssql',
    at: momentOf(time, receivedAt),
    severity: isFailed
      ? 'low'
      : Number(level) >= 17
        ? 'high'
        : Number(level) >= 11
          ? 'medium'
          : 'info',
    process: 'sqlservr',
    user: within(body, "for user '", "'") || undefined,
    event_code: number ?? (isFailed ? '18456' : undefined),
    src_ip: addressOf(client),
    fields: counted({
      'db.system': 'mssql',
      'mssql.writer': writer,
      'event.severity': level && Number(level),
      'event.action': isFailed || isIn ? 'login' : undefined,
      'event.outcome': isFailed ? 'failure' : isIn ? 'success' : undefined,
      'event.reason': within(body, 'Reason: ', ' [CLIENT'),
      'source.domain': client && !addressOf(client) ? client : undefined,
    }),
  }
}

export const mssql: TextFormat = {
  id: 'database.mssql',
  title: 'Microsoft SQL Server (ERRORLOG)',
  group: 'database',
  kind: 'text',
  ecs: 'database',
  ocsf: { class: 'datastore_activity', activity: { login: 'connect' } },
  overrules: true,
  when: { marks: [' Logon   ', ' Server    ', ' Backup    ', ' spid'] },
  read,
  samples: [
    {
      event:
        "2026-03-03 10:00:00.12 Logon       Login failed for user 'eve'. Reason: Password did not match that for the login provided. [CLIENT: 203.0.113.9]",
      expect: {
        at: '2026-03-03T10:00:00.120Z',
        source: 'mssql',
        user: 'eve',
        event_code: '18456',
        src_ip: '203.0.113.9',
        fields: {
          'event.outcome': 'failure',
          'event.reason': 'Password did not match that for the login provided.',
        },
      },
    },
    {
      event: '2026-03-03 10:00:00.12 spid52      Error: 823, Severity: 24, State: 2.',
      expect: { event_code: '823', severity: 'high' },
    },
  ],
}
