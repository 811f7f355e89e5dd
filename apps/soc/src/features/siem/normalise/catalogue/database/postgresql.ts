import { addressOf } from '../../addresses.ts'
import { type Parsed, type ParseObject, type ParseText, textOf } from '../../parsed.ts'
import { endpointOf } from '../../scan/endpoint.ts'
import { separated } from '../../scan/separated.ts'
import { counted } from '../../scan/traffic.ts'
import { following, within, wordAfter } from '../../scan/words.ts'
import { momentInZone } from '../../scan/zones.ts'
import { severityOf } from '../../severity.ts'
import type { ObjectFormat, TextFormat } from '../log-format.ts'

const LEVELS = [
  'LOG',
  'ERROR',
  'FATAL',
  'PANIC',
  'WARNING',
  'NOTICE',
  'INFO',
  'STATEMENT',
  'DETAIL',
  'HINT',
  'CONTEXT',
]
const TIME =
  /^(?:\[\d{1,6}-\d{1,6}\] )?(\d{4}-\d\d-\d\d \d\d:\d\d:\d\d(?:\.\d{1,6})? [A-Z]{1,5}(?:[+-]\d{1,4})?)/
const LEVEL = new RegExp(`(?:^|[ :])(${LEVELS.join('|')}): {1,2}`)
const LONGEST_PREFIX = 300
const PID = /(?:\[|^)(\d{1,10})(?:\]|-|$)/

/** Lines with the usual prefixes, `time [pid] user@database FATAL:  …`, and the CSV log. */
const readLine: ParseText = (text, { receivedAt, process = '' }) => {
  const [matched = '', time = ''] = TIME.exec(text) ?? []
  if (time && text[matched.length] === ',') return readCsv(text, receivedAt)
  const found = LEVEL.exec(text.slice(0, LONGEST_PREFIX))
  const level = found?.[1]
  if (!found || !level || !(time || process.startsWith('postgres'))) return undefined
  const prefix = text.slice(matched.length, found.index + 1)
  const [user, database] = accountIn(prefix)
  const body = text.slice(found.index + found[0].length)
  return {
    ...foundOf({
      level,
      body,
      user,
      database,
      pid: PID.exec(prefix.trim())?.[1],
      ...clientIn(prefix),
    }),
    at: time ? momentInZone(time, receivedAt) : undefined,
  }
}

/** `client=192.0.2.7`, or `:192.0.2.7(41000):` as Amazon writes it. */
function clientIn(prefix: string) {
  const said = wordAfter(prefix, 'client=') ?? wordAfter(prefix, 'host=')
  const { ip, port } = endpointOf(said ?? prefix.split(':', 3)[1])
  return { ip, port: ip ? port : undefined }
}

/** `user@database` or `user=…,db=…` in the prefix, which everybody sets up as they like. */
function accountIn(prefix: string): (string | undefined)[] {
  const named = following(prefix, 'user=', ',') ?? following(prefix, 'user=', ' ')
  if (named) return [named.split(',', 1)[0], (following(prefix, 'db=', ',') ?? '').split(' ', 1)[0]]
  const word = prefix.split(/[ :]/, 12).find((one) => one.includes('@'))
  return word?.split('@', 2).map((part) => part.replace('[unknown]', '')) ?? []
}

function readCsv(text: string, receivedAt: number): Parsed | undefined {
  const [time = '', user, database, pid, client, , , tag, , , , level = '', code, body = ''] =
    separated(text)
  if (!LEVELS.includes(level)) return undefined
  const source = endpointOf(client)
  const found = foundOf({
    level,
    body,
    user,
    database,
    pid,
    code,
    tag,
    ip: source.ip,
    port: source.port,
  })
  return { ...found, at: momentInZone(time, receivedAt) }
}

type Found = Partial<
  Record<'user' | 'database' | 'pid' | 'code' | 'tag' | 'ip', string | undefined>
> & {
  level: string
  body: string
  port?: number | undefined
}

function foundOf({ level, body, user, database, pid, code, tag, ip, port }: Found): Parsed {
  const isFailure = level === 'FATAL' || level === 'PANIC' || level === 'ERROR'
  const isIn =
    body.startsWith('connection authorized') || body.startsWith('connection authenticated')
  return {
    source: 'postgresql',
    severity: level === 'LOG' ? 'info' : severityOf(LEVEL_WORDS[level] ?? level),
    process: 'postgres',
    user: user || within(body, 'for user "', '"') || wordAfter(body, ' user=') || undefined,
    event_code: code === '00000' ? undefined : code,
    src_ip: ip ?? addressOf(wordAfter(body, 'host=') ?? within(body, 'host "', '"')),
    fields: counted({
      'db.name': database || wordAfter(body, ' database='),
      'db.system': 'postgresql',
      'db.statement': statementIn(level, body),
      'process.pid': pid,
      'source.port': port ?? wordAfter(body, ' port='),
      'log.level': level,
      'event.action': isIn
        ? 'login'
        : body.startsWith('connection received')
          ? 'connect'
          : tag?.toLowerCase(),
      'event.outcome': isFailure ? 'failure' : isIn ? 'success' : undefined,
      'event.reason': isFailure ? body : undefined,
    }),
  }
}

const LEVEL_WORDS: Record<string, string> = {
  PANIC: 'critical',
  STATEMENT: 'info',
  DETAIL: 'info',
  HINT: 'info',
  CONTEXT: 'info',
}

function statementIn(level: string, body: string): string | undefined {
  if (level === 'STATEMENT') return body
  for (const mark of ['statement: ', 'execute ']) {
    const at = body.indexOf(mark)
    if (at >= 0 && at < 60)
      return mark === 'execute '
        ? body.slice(body.indexOf(': ', at) + 2)
        : body.slice(at + mark.length)
  }
  return undefined
}

const readObject: ParseObject = (fields, { receivedAt, object }) => {
  const of = (name: string) => textOf(fields[name])
  const body = textOf(object.message) ?? of('message') ?? ''
  const found = foundOf({
    level: of('error_severity') ?? 'LOG',
    body,
    user: textOf(object.user) ?? of('user'),
    database: of('dbname'),
    pid: of('pid'),
    code: of('state_code'),
    tag: of('ps'),
    ip: addressOf(of('remote_host')),
  })
  found.fields = {
    ...found.fields,
    ...counted({ 'source.port': of('remote_port'), 'db.statement': of('statement') }),
  }
  const time = textOf(object.timestamp) ?? of('timestamp')
  return { ...found, at: time ? momentInZone(time, receivedAt) : undefined }
}

const ABOUT = {
  group: 'database',
  ecs: 'database',
  ocsf: { class: 'datastore_activity', activity: { login: 'connect', connect: 'connect' } },
} as const

export const postgresql: TextFormat = {
  ...ABOUT,
  id: 'database.postgresql',
  title: 'PostgreSQL (lines and CSV)',
  kind: 'text',
  overrules: true,
  when: {
    programs: ['postgres', 'postgresql'],
    marks: [
      ...LEVELS.map((level) => ` ${level}:  `),
      ...LEVELS.map((level) => `]:${level}:`),
      ',LOG,00000,',
      ',FATAL,',
      ',ERROR,',
    ],
  },
  read: readLine,
  samples: [
    {
      event:
        '2026-03-03 10:00:00.123 UTC [4711] eve@shop FATAL:  password authentication failed for user "eve"',
      expect: {
        at: '2026-03-03T10:00:00.123Z',
        source: 'postgresql',
        severity: 'critical',
        user: 'eve',
        process: 'postgres',
        fields: { 'db.name': 'shop', 'process.pid': 4711, 'event.outcome': 'failure' },
      },
    },
    {
      event:
        '2026-03-03 11:00:00.123 CET [4711] LOG:  connection received: host=203.0.113.9 port=41000',
      expect: {
        at: '2026-03-03T10:00:00.123Z',
        src_ip: '203.0.113.9',
        fields: { 'source.port': 41000, 'event.action': 'connect' },
      },
    },
    {
      event:
        '2026-03-03 10:00:00.123 UTC,"mona","shop",4711,"203.0.113.9:41000",65e44f20.1267,3,"SELECT",2026-03-03 09:59:00 UTC,3/12,0,ERROR,42P01,"relation ""secrets"" does not exist",,,,,,"select * from secrets",15,,"psql","client backend",,0',
      expect: {
        user: 'mona',
        event_code: '42P01',
        src_ip: '203.0.113.9',
        severity: 'high',
        fields: {
          'db.name': 'shop',
          'source.port': 41000,
          'event.reason': 'relation "secrets" does not exist',
        },
      },
    },
    {
      event:
        '2026-03-03 10:00:00 UTC:203.0.113.9(41000):mona@shop:[4711]:ERROR: column "x" does not exist at character 8',
      expect: {
        at: '2026-03-03T10:00:00.000Z',
        user: 'mona',
        src_ip: '203.0.113.9',
        fields: { 'db.name': 'shop', 'process.pid': 4711, 'source.port': 41000 },
      },
    },
    {
      event:
        '<134>Mar  3 10:00:00 db1 postgres[4711]: [3-1] 2026-03-03 10:00:00.123 UTC [4711] mona@shop LOG:  duration: 12.3 ms  statement: SELECT 1',
      expect: { host: 'db1', user: 'mona', fields: { 'db.statement': 'SELECT 1' } },
    },
  ],
}

export const postgresqlJson: ObjectFormat = {
  ...ABOUT,
  id: 'database.postgresql_json',
  title: 'PostgreSQL as JSON',
  kind: 'object',
  when: { names: [['error_severity', 'pid']] },
  read: readObject,
  samples: [
    {
      event: {
        timestamp: '2026-03-03 10:00:00.123 UTC',
        user: 'eve',
        dbname: 'shop',
        pid: 4711,
        remote_host: '203.0.113.9',
        remote_port: 41000,
        session_id: '65e44f20.1267',
        error_severity: 'FATAL',
        state_code: '28P01',
        message: 'password authentication failed for user "eve"',
        backend_type: 'client backend',
      },
      expect: {
        at: '2026-03-03T10:00:00.123Z',
        source: 'postgresql',
        severity: 'critical',
        user: 'eve',
        event_code: '28P01',
        src_ip: '203.0.113.9',
        fields: { 'db.name': 'shop', 'source.port': 41000, 'event.outcome': 'failure' },
      },
    },
  ],
}
