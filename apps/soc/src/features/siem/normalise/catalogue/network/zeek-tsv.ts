import type { Fields } from '../../fields.ts'
import type { Memory, ParseText } from '../../parsed.ts'
import { work } from '../../scan/work.ts'
import type { TextFormat } from '../log-format.ts'
import { zeekEvent } from './zeek.ts'

const REMEMBERED = 'zeek.tsv'
const MOST_COLUMNS = 200
/** With these every log of connections begins: enough where the lines of the header are missing. */
const FIRST = ['ts', 'uid', 'id.orig_h', 'id.orig_p', 'id.resp_h', 'id.resp_p']

type Header = { path?: string; names?: string[] }

/** Zeek's own files: tabs between values, after `#path` and `#fields`. */
const read: ParseText = (text, { receivedAt, memory }) => {
  if (text[0] === '#') return readHeader(text, memory)
  const end = text.indexOf('\t')
  if (end < 10 || end > 20 || !/^\d{9,10}\.\d+$/.test(text.slice(0, end))) return undefined
  const { path, names } = (memory?.get(REMEMBERED) as Header | undefined) ?? {}
  const values = text.split('\t', MOST_COLUMNS)
  work.steps += text.length
  const columns = names?.length === values.length ? names : FIRST
  if (values.length < FIRST.length && columns === FIRST) return undefined
  const fields: Fields = {}
  columns.forEach((name, index) => {
    const value = values[index] ?? '-'
    if (value !== '-' && value !== '(empty)' && name !== '__proto__') fields[name] = value
  })
  if (path && columns === names) fields._path = path
  const parsed = zeekEvent(fields, receivedAt)
  return { ...parsed, fields: { ...fields, ...parsed.fields } }
}

function readHeader(text: string, memory: Memory | undefined) {
  const [word = '', ...values] = text.split('\t', MOST_COLUMNS)
  const header = { ...(memory?.get(REMEMBERED) as Header | undefined) }
  if (word === '#path') header.path = values[0] ?? ''
  else if (word === '#fields') header.names = values
  memory?.set(REMEMBERED, header)
  return { source: 'zeek', fields: {} }
}

export const zeekTsv: TextFormat = {
  id: 'zeek.tsv',
  title: 'Zeek, as tab-separated files',
  group: 'network',
  kind: 'text',
  remembers: true,
  ecs: 'network',
  ocsf: { class: 'network_activity', activity: 'traffic' },
  overrules: true,
  when: {
    starts: [
      '1',
      ...['separator', 'set_separator', 'empty_field', 'unset_field'].map((n) => `#${n}`),
      ...['path', 'open', 'fields', 'types', 'close'].map((name) => `#${name}\t`),
    ],
  },
  read,
  samples: [
    {
      event:
        '1772532000.500000\tCAbc1\t192.0.2.7\t4711\t198.51.100.2\t443\ttcp\tssl\t1.2\t10\t20\tSF',
      expect: {
        at: '2026-03-03T10:00:00.500Z',
        source: 'zeek',
        src_ip: '192.0.2.7',
        dst_ip: '198.51.100.2',
        fields: { uid: 'CAbc1', 'source.port': 4711, 'destination.port': 443 },
      },
    },
  ],
}
