import type { Severity } from '@manara/soc-contract/severity'
import { addressOf } from '../../addresses.ts'
import { type Parsed, type ParseObject, type ParseText, textOf } from '../../parsed.ts'
import { endpointOf } from '../../scan/endpoint.ts'
import { counted } from '../../scan/traffic.ts'
import { wordAfter } from '../../scan/words.ts'
import { momentOf } from '../../timestamps.ts'
import type { ObjectFormat, TextFormat } from '../log-format.ts'

const SEVERITIES: Record<string, Severity> = {
  F: 'critical',
  E: 'high',
  W: 'medium',
  I: 'info',
  D: 'info',
}

/** Since 4.4: `{"t":{"$date":…},"s":"I","c":"ACCESS","id":…,"ctx":…,"msg":…,"attr":{…}}`. */
const readObject: ParseObject = (fields, { receivedAt }) => {
  const of = (...names: string[]) => names.map((name) => textOf(fields[name])).find(Boolean)
  const remote = endpointOf(of('attr.remote', 'attr.client', 'attr.hostAndPort'))
  const message = of('msg') ?? ''
  return {
    source: 'mongodb',
    at: momentOf(of('t.$date'), receivedAt),
    severity: SEVERITIES[(of('s') ?? '')[0] ?? ''],
    message,
    process: 'mongod',
    user: of('attr.user', 'attr.principalName', 'attr.user.user'),
    event_code: of('id'),
    src_ip: remote.ip,
    fields: counted({
      'db.system': 'mongodb',
      'db.name': of('attr.db', 'attr.authenticationDatabase', 'attr.user.db'),
      'source.port': remote.port,
      'mongodb.component': of('c'),
      'event.action': actionOf(message),
      'event.outcome': outcomeOf(message),
      'event.reason': of('attr.error', 'attr.result'),
    }),
  }
}

const LINE =
  /^(\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}(?:Z|[+-]\d{4})) ([FEWID]) ([A-Z]{1,16}|-) +\[([^\]]{1,64})\] /

/** Before that: `2026-03-03T10:00:00.123+0000 I ACCESS   [conn3] …`. */
const readLine: ParseText = (text, { receivedAt }) => {
  const [head, time, letter = '', component] = LINE.exec(text) ?? []
  if (head === undefined) return undefined
  const body = text.slice(head.length)
  const remote = endpointOf(
    wordAfter(body, ' from client ') ??
      wordAfter(body, ' from ') ??
      wordAfter(body, 'end connection '),
  )
  return {
    source: 'mongodb',
    at: momentOf(time, receivedAt),
    severity: SEVERITIES[letter],
    process: 'mongod',
    user: wordAfter(body, 'as principal ') ?? wordAfter(body, 'authentication failed for '),
    src_ip: addressOf(remote.ip),
    fields: counted({
      'db.system': 'mongodb',
      'source.port': remote.ip ? remote.port : undefined,
      'mongodb.component': component,
      'event.action': actionOf(body),
      'event.outcome': outcomeOf(body),
    }),
  } satisfies Parsed
}

function actionOf(text: string): string | undefined {
  if (/authenticat/i.test(text)) return 'login'
  if (/^connection accepted/i.test(text)) return 'connect'
  return /^(?:connection ended|end connection)/i.test(text) ? 'disconnect' : undefined
}

function outcomeOf(text: string): string | undefined {
  if (/authentication failed|failed to authenticate/i.test(text)) return 'failure'
  return /success|succeeded/i.test(text) ? 'success' : undefined
}

const ABOUT = {
  group: 'database',
  ecs: 'database',
  ocsf: { class: 'datastore_activity', activity: { login: 'connect', connect: 'connect' } },
} as const

export const mongodb: ObjectFormat = {
  ...ABOUT,
  id: 'database.mongodb',
  title: 'MongoDB (4.4 and later)',
  kind: 'object',
  when: { names: [['t.$date', 'ctx']] },
  read: readObject,
  samples: [
    {
      event: {
        t: { $date: '2026-03-03T10:00:00.123+00:00' },
        s: 'I',
        c: 'ACCESS',
        id: 20249,
        ctx: 'conn3',
        msg: 'Authentication failed',
        attr: {
          mechanism: 'SCRAM-SHA-256',
          principalName: 'eve',
          authenticationDatabase: 'admin',
          remote: '203.0.113.9:41000',
          result: 'UserNotFound: Could not find user',
        },
      },
      expect: {
        at: '2026-03-03T10:00:00.123Z',
        source: 'mongodb',
        user: 'eve',
        process: 'mongod',
        event_code: '20249',
        src_ip: '203.0.113.9',
        message: 'Authentication failed',
        fields: { 'source.port': 41000, 'event.outcome': 'failure', 'db.name': 'admin' },
      },
    },
  ],
}

export const mongodbLines: TextFormat = {
  ...ABOUT,
  id: 'database.mongodb_lines',
  title: 'MongoDB (before 4.4)',
  kind: 'text',
  when: { marks: [' ACCESS   [', ' NETWORK  [', ' COMMAND  [', ' CONTROL  [', ' STORAGE  ['] },
  read: readLine,
  samples: [
    {
      event:
        '2026-03-03T10:00:00.123+0000 I ACCESS   [conn3] SCRAM-SHA-1 authentication failed for eve on admin from client 203.0.113.9:41000 ; AuthenticationFailed: SCRAM authentication failed',
      expect: {
        at: '2026-03-03T10:00:00.123Z',
        source: 'mongodb',
        host: null,
        user: 'eve',
        src_ip: '203.0.113.9',
        fields: { 'event.outcome': 'failure', 'source.port': 41000 },
      },
    },
  ],
}
