import { addressOf } from '../../addresses.ts'
import type { Parsed, ParseText } from '../../parsed.ts'
import { counted } from '../../scan/traffic.ts'
import { following, within, wordAfter } from '../../scan/words.ts'
import { severityOf } from '../../severity.ts'
import { momentOf } from '../../timestamps.ts'
import type { TextFormat } from '../log-format.ts'

const ERROR =
  /^(\d{4}-\d\d-\d\d[T ]\d?\d:\d\d:\d\d(?:\.\d{1,6})?(?:Z|[+-]\d\d:\d\d)?|\d{6} \d?\d:\d\d:\d\d)\s+(?:(\d{1,12}) )?(?:\[(System|ERROR|Error|Warning|Note)\] |(?=InnoDB: ))(?:\[(MY-\d{6})\] )?(?:\[(\w{1,20})\] )?/
const GENERAL =
  /^(\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d{1,6})?(?:Z|[+-]\d\d:\d\d)|\d{6} \d?\d:\d\d:\d\d)?\t+ *(\d{1,12}) (Connect|Query|Quit|Execute|Prepare|Init DB|Close stmt|Change user|Field List|Statistics|Ping|Shutdown)(?:\t|$)/

/** MySQL and MariaDB: the error log, the general log and the log of slow queries. */
const read: ParseText = (text, { receivedAt }) => {
  const isSlow = text.startsWith('# ') && text.includes('# Query_time: ')
  if (isSlow) return readSlow(text, receivedAt)
  const [error, at, thread, level = '', code, part] = ERROR.exec(text) ?? []
  if (error !== undefined) {
    return {
      ...readError(text.slice(error.length), { level, code, part, thread }),
      at: timeOf(at, receivedAt),
    }
  }
  const [general, time, id, command = ''] = GENERAL.exec(text) ?? []
  if (general === undefined) return undefined
  return { ...readCommand(command, text.slice(general.length), id), at: timeOf(time, receivedAt) }
}

/** Old versions write `260303 10:00:00`. */
function timeOf(text: string | undefined, receivedAt: number): number | undefined {
  const [, year, month, day, time] = /^(\d\d)(\d\d)(\d\d) (.{7,8})$/.exec(text ?? '') ?? []
  return momentOf(year ? `20${year}-${month}-${day} ${time}` : text, receivedAt)
}

type Line = Record<'level' | 'code' | 'part' | 'thread', string | undefined>

function readError(body: string, { level, code, part, thread }: Line): Parsed {
  const account = body.includes("for user '") || body.includes("user: '")
  const user = within(body, "for user '", "'") ?? within(body, "user: '", "'")
  const host =
    within(body, "'@'", "'") ?? within(body, "host: '", "'") ?? within(body, "IP address '", "'")
  const isDenied = body.startsWith('Access denied')
  return {
    source: 'mysql',
    severity: level === '' || level === 'Note' || level === 'System' ? 'info' : severityOf(level),
    process: 'mysqld',
    user: account ? user || undefined : undefined,
    event_code: code,
    src_ip: addressOf(host),
    fields: counted({
      'db.system': 'mysql',
      'mysql.thread_id': thread,
      'mysql.subsystem': part,
      'source.domain': addressOf(host) ? undefined : host,
      'db.name': within(body, "to database '", "'") ?? within(body, "db: '", "'"),
      'event.action': isDenied ? 'login' : undefined,
      'event.outcome': isDenied ? 'failure' : undefined,
    }),
  }
}

/** `Connect mona@192.0.2.21 on shop using TCP/IP`, `Query SELECT 1`. */
function readCommand(command: string, argument: string, id: string | undefined): Parsed {
  const isConnect = command === 'Connect' || command === 'Change user'
  const isDenied = argument.startsWith('Access denied')
  const account = isDenied ? undefined : argument.split(' ', 1)[0]
  const at = account?.lastIndexOf('@') ?? -1
  const host = isDenied ? within(argument, "'@'", "'") : account?.slice(at + 1)
  const user = isDenied ? within(argument, "user '", "'") : account?.slice(0, Math.max(at, 0))
  return {
    source: 'mysql',
    process: 'mysqld',
    event_code: command,
    user: isConnect ? user || undefined : undefined,
    src_ip: isConnect ? addressOf(host) : undefined,
    fields: counted({
      'db.system': 'mysql',
      'mysql.thread_id': id,
      'db.statement': isConnect ? undefined : argument,
      'db.name': isConnect ? wordAfter(argument, ' on ') : undefined,
      'source.domain': isConnect && !addressOf(host) ? host : undefined,
      'event.action': isConnect ? 'login' : command.toLowerCase(),
      'event.outcome': isConnect ? (isDenied ? 'failure' : 'success') : undefined,
    }),
  }
}

/** Several lines: time, account, how long it took, then the statement. */
function readSlow(text: string, receivedAt: number): Parsed {
  const account = following(text, 'User@Host: ', '\n') ?? ''
  const lines = text.split('\n', 200).filter((line) => !line.startsWith('#'))
  const time = following(text, '# Time: ', '\n') ?? within(text, 'SET timestamp=', ';')
  return {
    source: 'mysql',
    at: timeOf(time, receivedAt),
    process: 'mysqld',
    event_code: 'slow_query',
    user: account.split('[', 1)[0] || undefined,
    src_ip: addressOf(within(account, '@  [', ']') ?? within(account, ' [', ']')),
    fields: counted({
      'db.system': 'mysql',
      'source.domain': wordAfter(account, ' @ '),
      'mysql.thread_id': wordAfter(account, 'Id:'),
      'mysql.query_time': Number(wordAfter(text, 'Query_time: ')) || undefined,
      'mysql.rows_examined':
        Number(wordAfter(text.replaceAll('\n', ' '), 'Rows_examined: ')) || undefined,
      'db.statement': lines
        .filter((line) => !/^(?:SET timestamp=|use )/.test(line))
        .join('\n')
        .trim(),
      'event.action': 'slow_query',
    }),
  }
}

export const mysql: TextFormat = {
  id: 'database.mysql',
  title: 'MySQL and MariaDB (error, general and slow log)',
  group: 'database',
  kind: 'text',
  ecs: 'database',
  ocsf: { class: 'datastore_activity', activity: { login: 'connect', query: 'query' } },
  overrules: true,
  when: {
    programs: ['mysqld', 'mysql', 'mariadbd', 'mariadb'],
    starts: ['# Time: ', '# User@Host: ', '\t'],
    marks: [
      ' [MY-',
      ' InnoDB: ',
      '[Warning] ',
      '[Note] ',
      ' [ERROR] ',
      ' Connect\t',
      ' Query\t',
      ' Quit\t',
      ' Execute\t',
      ' Prepare\t',
      ' Init DB\t',
    ],
  },
  read,
  samples: [
    {
      event:
        "2026-03-03T10:00:00.123456Z 12 [Note] [MY-010926] [Server] Access denied for user 'eve'@'203.0.113.9' (using password: YES)",
      expect: {
        at: '2026-03-03T10:00:00.123Z',
        source: 'mysql',
        severity: 'info',
        user: 'eve',
        event_code: 'MY-010926',
        src_ip: '203.0.113.9',
        fields: { 'event.action': 'login', 'event.outcome': 'failure' },
      },
    },
    {
      event:
        "2026-03-03 10:00:00 12 [Warning] Access denied for user 'eve'@'203.0.113.9' (using password: NO)",
      expect: {
        at: '2026-03-03T10:00:00.000Z',
        user: 'eve',
        severity: 'medium',
        src_ip: '203.0.113.9',
      },
    },
    {
      event: '260303 10:00:00  InnoDB: Shutdown completed; log sequence number 1595675',
      expect: { at: '2026-03-03T10:00:00.000Z', severity: 'info', process: 'mysqld' },
    },
    {
      event: '2026-03-03T10:00:00.123456Z\t   12 Connect\tmona@203.0.113.9 on shop using TCP/IP',
      expect: {
        user: 'mona',
        src_ip: '203.0.113.9',
        fields: { 'db.name': 'shop', 'event.outcome': 'success' },
      },
    },
    {
      event: '2026-03-03T10:00:00.123456Z\t   12 Query\tDROP TABLE orders',
      expect: { event_code: 'Query', fields: { 'db.statement': 'DROP TABLE orders' } },
    },
    {
      event:
        '# Time: 2026-03-03T10:00:00.123456Z\n# User@Host: mona[mona] @ app1 [192.0.2.21]  Id:    12\n# Query_time: 5.000123  Lock_time: 0.000000 Rows_sent: 1  Rows_examined: 100000\nSET timestamp=1772532000;\nSELECT * FROM orders;',
      expect: {
        at: '2026-03-03T10:00:00.123Z',
        user: 'mona',
        src_ip: '192.0.2.21',
        fields: { 'db.statement': 'SELECT * FROM orders;', 'mysql.rows_examined': 100000 },
      },
    },
  ],
}
