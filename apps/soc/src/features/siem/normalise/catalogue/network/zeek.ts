import { addressOf } from '../../addresses.ts'
import { type ParseObject, textOf } from '../../parsed.ts'
import { momentOf } from '../../timestamps.ts'
import type { ObjectFormat } from '../log-format.ts'

/** Zeek's JSON logs: every one has `ts`, most a `uid`, and a writer may name the log in `_path`. */
export const isZeek = (object: object): boolean =>
  Object.hasOwn(object, 'ts') &&
  ['_path', 'uid', 'id.orig_h'].some((name) => Object.hasOwn(object, name))

export const parseZeek: ParseObject = (fields, { receivedAt }) => {
  if (!isZeek(fields)) return undefined
  const path = textOf(fields._path)
  const said = [fields.msg, fields.note, fields.query, fields.uri, fields.name]
  return {
    source: 'zeek',
    at: momentOf(fields.ts, receivedAt),
    machine: textOf(fields._system_name),
    host: textOf(fields._system_name),
    message: [path, ...said.map(textOf)].filter(Boolean).join(' '),
    user: textOf(fields.username) ?? textOf(fields.user),
    event_code: textOf(fields.note) ?? path,
    src_ip: addressOf(fields['id.orig_h']),
    dst_ip: addressOf(fields['id.resp_h']),
    severity: path === 'notice' ? 'low' : undefined,
    fields: {},
  }
}

export const zeek: ObjectFormat = {
  id: 'zeek.json',
  title: 'Zeek, as JSON',
  group: 'network',
  kind: 'object',
  ecs: 'network',
  ocsf: { class: 'network_activity', activity: 'traffic' },
  when: {
    names: [
      ['_path', 'ts'],
      ['uid', 'ts'],
      ['id.orig_h', 'ts'],
    ],
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
        query: 'www.example.test',
      },
      expect: {
        at: '2026-03-03T10:00:00.500Z',
        event_code: 'dns',
        src_ip: '192.0.2.7',
        dst_ip: '198.51.100.2',
      },
    },
  ],
}
