import { addressOf } from '../../addresses.ts'
import { type ParseObject, textOf } from '../../parsed.ts'
import { counted } from '../../scan/traffic.ts'
import { momentOf } from '../../timestamps.ts'
import type { ObjectFormat } from '../log-format.ts'

/** osquery's results: what a query found is under `columns`, by the names of its tables. */
const read: ParseObject = (fields, { receivedAt }) => {
  if (Object.hasOwn(fields, 'columns.eventid')) return undefined
  const of = (...names: string[]) =>
    names
      .map((name) => textOf(fields[`columns.${name}`]) ?? textOf(fields[`snapshot.${name}`]))
      .find(Boolean)
  const query = textOf(fields.name)
  return {
    source: 'osquery',
    at: momentOf(fields.unixTime ?? fields.calendarTime, receivedAt),
    machine: textOf(fields['decorations.hostname']) ?? textOf(fields.hostIdentifier),
    message: [query, textOf(fields.action)].filter(Boolean).join(' '),
    user: of('username', 'user', 'login'),
    process: of('process_name', 'name', 'path')?.split(/[\\/]/).at(-1),
    event_code: query,
    src_ip: addressOf(of('local_address', 'address')),
    dst_ip: addressOf(of('remote_address')),
    fields: counted({
      'event.action': textOf(fields.action),
      'rule.name': query,
      'process.pid': of('pid'),
      'process.executable': of('path'),
      'process.command_line': of('cmdline'),
      'source.port': of('local_port', 'port'),
      'destination.port': of('remote_port'),
      'file.path': of('target_path'),
      'file.hash.sha256': of('sha256'),
      'file.hash.md5': of('md5'),
    }),
  }
}

export const osquery: ObjectFormat = {
  id: 'endpoint.osquery',
  title: 'osquery results',
  group: 'endpoint',
  kind: 'object',
  ecs: 'host',
  ocsf: { class: 'base_event', activity: 'other' },
  when: {
    names: [
      ['hostIdentifier', 'calendarTime'],
      ['hostIdentifier', 'unixTime'],
    ],
  },
  read,
  samples: [
    {
      event: {
        name: 'pack_incident_process_open_sockets',
        hostIdentifier: 'web1',
        calendarTime: 'Tue Mar  3 10:00:00 2026 UTC',
        unixTime: 1772532000,
        epoch: 0,
        counter: 7,
        columns: {
          pid: '4711',
          path: '/usr/bin/nc',
          cmdline: 'nc -e /bin/sh',
          remote_address: '203.0.113.9',
          remote_port: '4444',
          username: 'www-data',
        },
        action: 'added',
      },
      expect: {
        at: '2026-03-03T10:00:00.000Z',
        source: 'osquery',
        host: 'web1',
        user: 'www-data',
        process: 'nc',
        event_code: 'pack_incident_process_open_sockets',
        dst_ip: '203.0.113.9',
        fields: {
          'destination.port': 4444,
          'process.command_line': 'nc -e /bin/sh',
          'event.action': 'added',
        },
      },
    },
  ],
}
