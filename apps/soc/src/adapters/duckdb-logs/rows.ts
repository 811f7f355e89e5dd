import { BIGINT, DuckDBDataChunk, type DuckDBType, INTEGER, VARCHAR } from '@duckdb/node-api'
import { decodeFields, encodeFields } from '@manara/log-query/duckdb-fields'
import { TEXT_FIELDS } from '@manara/log-query/event'
import type { StoredLog } from '../../ports/log-store.ts'
import { isLayoutKnown, setNumbers, setTexts } from './fill-vectors.ts'

/** The columns that make a StoredLog, in the order they are read. */
const TEXTS = [
  'id',
  'source',
  'host',
  'severity',
  'message',
  'user',
  'process',
  'event_code',
  'src_ip',
  'dst_ip',
  'original',
] as const

/**
 * Texts that hardly repeat: zstd halves the long ones, and reads a few rows of any without first
 * reading a dictionary. The others repeat and do better in DuckDB's dictionaries.
 */
const VARIED = new Set<string>(['message', 'vals', 'original', 'id', 'src_ip', 'dst_ip'])

const FIELD_COLUMNS = ['names', 'vals', 'sep', 'kinds'] as const
const COLUMNS = ['at_ms', 'received_ms', ...TEXTS, ...FIELD_COLUMNS]

/** All that another reading of an event may change: where it came from stays, and so does its text. */
export const REWRITABLE = COLUMNS.filter((name) => !['received_ms', 'id', 'message'].includes(name))

export const COLUMN_LIST = COLUMNS.map((name) => `"${name}"`).join(', ')

export const CREATE_LOGS = `CREATE TABLE IF NOT EXISTS logs (
  seg INTEGER NOT NULL, at_ms BIGINT NOT NULL, received_ms BIGINT NOT NULL,
  ${[...TEXTS, ...FIELD_COLUMNS]
    .map((name) => `"${name}" VARCHAR${VARIED.has(name) ? ' USING COMPRESSION zstd' : ''}`)
    .join(', ')})`

const TYPES: DuckDBType[] = [
  INTEGER,
  BIGINT,
  BIGINT,
  ...[...TEXTS, ...FIELD_COLUMNS].map(() => VARCHAR),
]

const isQuick = isLayoutKnown()

/** At most `CHUNK_ROWS` of one segment. */
export function toChunk(logs: StoredLog[], seg: number, isByBytes = isQuick): DuckDBDataChunk {
  const fields = logs.map((log) => encodeFields(log.fields, textsBesideMessage(log)))
  const chunk = DuckDBDataChunk.create(TYPES, logs.length)
  const segs = logs.map(() => seg)
  const times = [logs.map(({ at }) => at), logs.map(({ received_at }) => received_at)]
  const texts = [
    ...TEXTS.map((name) => logs.map((log) => log[name])),
    ...FIELD_COLUMNS.map((name) => fields.map((columns) => columns[name])),
  ]
  if (!isByBytes) {
    chunk.setColumns([segs, ...times.map((column) => column.map(BigInt)), ...texts])
    return chunk
  }
  chunk.setColumnValues(0, segs)
  for (const [at, column] of times.entries()) setNumbers(chunk, 1 + at, column)
  for (const [at, column] of texts.entries()) setTexts(chunk, 1 + times.length + at, column)
  return chunk
}

function textsBesideMessage(log: StoredLog): string[] {
  const texts: string[] = []
  for (const name of TEXT_FIELDS) {
    const text = log[name]
    if (name !== 'message' && text && !log.message.includes(text)) texts.push(text)
  }
  return texts
}

export function toLog(row: unknown[]): StoredLog {
  const [
    at,
    received,
    id,
    source,
    host,
    severity,
    message,
    user,
    process,
    code,
    src,
    dst,
    ...rest
  ] = row as [bigint, bigint, ...string[]]
  const [original, names, vals, sep, kinds] = rest as [
    string | null,
    string | null,
    string | null,
    string,
    string,
  ]
  return {
    id: id as string,
    at: Number(at),
    source: source as string,
    host: host ?? null,
    severity: severity as string,
    message: message as string,
    user: user ?? null,
    process: process ?? null,
    event_code: code ?? null,
    src_ip: src ?? null,
    dst_ip: dst ?? null,
    fields: decodeFields({ names, vals, sep, kinds }),
    received_at: Number(received),
    original,
  }
}
