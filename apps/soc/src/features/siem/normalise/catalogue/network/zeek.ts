import { addressOf } from '../../addresses.ts'
import type { Fields } from '../../fields.ts'
import { type Parsed, type ParseObject, pick, textOf } from '../../parsed.ts'
import { keptFields, numberIn } from '../../scan/kept-fields.ts'
import { lifted } from '../../scan/lifted.ts'
import { momentOf } from '../../timestamps.ts'
import type { ObjectFormat } from '../log-format.ts'

/** As Zeek writes them, and with dots replaced by those whose stores have none in names. */
const FROM = ['id.orig_h', 'id_orig_h']
const FROM_PORT = ['id.orig_p', 'id_orig_p']
const TO = ['id.resp_h', 'id_resp_h']
const TO_PORT = ['id.resp_p', 'id_resp_p']
/** Which log it is of: where the writer, or who passed it on, says so. */
const PATHS = ['_path', '@stream', '@path']
/** Zeek's own JSON does not say it: columns that one log alone has. */
const OWN_COLUMNS: [column: string, path: string][] = [
  ['conn_state', 'conn'],
  ['qtype_name', 'dns'],
  ['fc_request', 'dnp3'],
  ['func', 'modbus'],
  ['rosctr_name', 's7comm'],
]
const pathOf = (fields: Fields) =>
  pick(fields, PATHS) ?? OWN_COLUMNS.find(([column]) => Object.hasOwn(fields, column))?.[1]
const MARKS = ['_path', '@stream', '@path', 'uid', 'fuid', ...FROM]

/** Every log has `ts`, most a `uid`. In its logs a `host` is whom a request was for. */
export const isZeek = (object: Record<string, unknown>): boolean =>
  (Object.hasOwn(object, 'ts') && MARKS.some((name) => Object.hasOwn(object, name))) ||
  (Object.hasOwn(object, 'uid') && FROM.some((name) => Object.hasOwn(object, name)))

const SESSION = 'zeek.session_id'

export const parseZeek: ParseObject = (fields, { receivedAt }) => {
  if (isZeek(fields)) return zeekEvent(fields, receivedAt)
  const own = ofBeats(fields)
  const parsed = own && zeekEvent(own, receivedAt)
  return parsed && { ...parsed, fields: { ...own, ...parsed.fields } }
}

/** Elastic has the columns of a log below its name, and under names of ECS. */
function ofBeats(fields: Fields): Fields | undefined {
  const dataset = pick(fields, ['event.dataset', 'data_stream.dataset', 'fileset.name'])
  const path = dataset?.replace(/^zeek\./, '')
  if (!path || !Object.hasOwn(fields, SESSION)) return undefined
  return keptFields({
    ...lifted(fields, `zeek.${path}.`),
    _path: path,
    ts: fields['@timestamp'],
    uid: fields[SESSION],
    'id.orig_h': fields['source.ip'] ?? fields['source.address'],
    'id.orig_p': fields['source.port'],
    'id.resp_h': fields['destination.ip'] ?? fields['destination.address'],
    'id.resp_p': fields['destination.port'],
    uri: fields['url.original'],
    method: fields['http.request.method'],
    user_agent: fields['user_agent.original'],
  })
}

/** One entry of a log, by the names of its columns. */
export function zeekEvent(fields: Fields, receivedAt: number): Parsed {
  const path = pathOf(fields)
  const said = [fields.msg, fields.note, fields.query, fields.uri, fields.name]
  return {
    source: 'zeek',
    at: momentOf(numberIn(fields.ts) ?? fields.ts, receivedAt),
    machine: textOf(fields._system_name),
    host: textOf(fields._system_name),
    message: [path, ...said.map(textOf)].filter(Boolean).join(' '),
    user: pick(fields, ['username', 'user', 'client']),
    event_code: textOf(fields.note) ?? path,
    src_ip: addressOf(pick(fields, [...FROM, 'src', 'tx_hosts'])),
    dst_ip: addressOf(pick(fields, [...TO, 'dst', 'rx_hosts'])),
    severity: path === 'notice' ? 'low' : undefined,
    fields: sharedNames(fields, path),
  }
}

function sharedNames(fields: Fields, path: string | undefined): Fields {
  const of = (...names: string[]) => pick(fields, names)
  return keptFields({
    _path: path,
    'id.orig_h': of(...FROM),
    'id.resp_h': of(...TO),
    'source.port': numberIn(of(...FROM_PORT, 'p')),
    'destination.port': numberIn(of(...TO_PORT)),
    'network.transport': of('proto'),
    'network.protocol': of('service'),
    'source.bytes': numberIn(of('orig_bytes')),
    'destination.bytes': numberIn(of('resp_bytes')),
    'dns.question.name': of('query'),
    'dns.question.type': of('qtype_name'),
    'url.domain': path === 'http' || of('method') ? of('host') : of('server_name'),
    'url.original': of('uri'),
    'http.request.method': of('method'),
    'http.response.status_code': numberIn(of('status_code')),
    'user_agent.original': of('user_agent'),
    'event.action': of('action', 'conn_state'),
    'file.hash.md5': of('md5'),
    'file.hash.sha1': of('sha1'),
    'file.hash.sha256': of('sha256'),
  })
}

export const zeek: ObjectFormat = {
  id: 'zeek.json',
  title: 'Zeek, as JSON',
  group: 'network',
  kind: 'object',
  ecs: 'network',
  ocsf: { class: 'network_activity', activity: 'traffic' },
  when: {
    names: [...MARKS.map((name) => [name, 'ts']), ...FROM.map((name) => [name, 'uid']), [SESSION]],
  },
  read: parseZeek,
  samples: [
    {
      event: {
        _path: 'dns',
        ts: 1772532000.5,
        uid: 'CAbc1',
        'id.orig_h': '192.0.2.7',
        'id.orig_p': 4711,
        'id.resp_h': '198.51.100.2',
        'id.resp_p': 53,
        proto: 'udp',
        query: 'www.example.test',
      },
      expect: {
        at: '2026-03-03T10:00:00.500Z',
        event_code: 'dns',
        src_ip: '192.0.2.7',
        dst_ip: '198.51.100.2',
        fields: {
          'source.port': 4711,
          'destination.port': 53,
          'dns.question.name': 'www.example.test',
        },
      },
    },
    {
      event: {
        '@stream': 'conn',
        '@timestamp': '2026-03-03T10:00:00Z',
        uid: 'CAbc2',
        id_orig_h: '192.0.2.7',
        id_orig_p: 4711,
        id_resp_h: '198.51.100.2',
        id_resp_p: 443,
        conn_state: 'SF',
      },
      expect: {
        at: '2026-03-03T10:00:00.000Z',
        event_code: 'conn',
        src_ip: '192.0.2.7',
        fields: { _path: 'conn', 'id.orig_h': '192.0.2.7', 'destination.port': 443 },
      },
    },
    {
      event: {
        '@timestamp': '2026-03-03T10:00:00.000Z',
        event: { module: 'zeek', dataset: 'zeek.dns' },
        zeek: { session_id: 'CAbc3', dns: { query: 'www.example.test', qtype_name: 'A' } },
        source: { ip: '192.0.2.7', port: 4711 },
        destination: { ip: '198.51.100.2', port: 53 },
      },
      expect: {
        at: '2026-03-03T10:00:00.000Z',
        event_code: 'dns',
        src_ip: '192.0.2.7',
        fields: { _path: 'dns', query: 'www.example.test', 'id.resp_h': '198.51.100.2' },
      },
    },
  ],
}
