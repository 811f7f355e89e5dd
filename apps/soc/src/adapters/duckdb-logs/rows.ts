import { BIGINT, DuckDBDataChunk, type DuckDBType, INTEGER, VARCHAR } from '@duckdb/node-api'
import { isLayoutKnown, setNumbers, setTexts, type TextRows } from './fill-vectors.ts'
import { type Slice, TEXT_COLUMNS, textAt } from './packed-logs.ts'

/**
 * Texts that hardly repeat: zstd halves the long ones, and reads a few rows of any without first
 * reading a dictionary. The others repeat and do better in DuckDB's dictionaries.
 */
const VARIED = new Set<string>(['message', 'vals', 'original', 'id', 'src_ip', 'dst_ip'])

/** The columns that make a StoredLog, in the order they are read. */
export const COLUMNS = ['at_ms', 'received_ms', ...TEXT_COLUMNS]

/** All that another reading of an event may change: where it came from stays, and so does its text. */
export const REWRITABLE = COLUMNS.filter((name) => !['received_ms', 'id', 'message'].includes(name))

export const COLUMN_LIST = COLUMNS.map((name) => `"${name}"`).join(', ')

export const CREATE_LOGS = `CREATE TABLE IF NOT EXISTS logs (
  seg INTEGER NOT NULL, at_ms BIGINT NOT NULL, received_ms BIGINT NOT NULL,
  ${TEXT_COLUMNS.map(
    (name) => `"${name}" VARCHAR${VARIED.has(name) ? ' USING COMPRESSION zstd' : ''}`,
  ).join(', ')})`

const TYPES: DuckDBType[] = [INTEGER, BIGINT, BIGINT, ...TEXT_COLUMNS.map(() => VARCHAR)]

const isQuick = isLayoutKnown()

/** At most `CHUNK_ROWS` of one segment. */
export function toChunk(slices: Slice[], seg: number, isByBytes = isQuick): DuckDBDataChunk {
  const rows = slices.reduce((sum, { from, to }) => sum + to - from, 0)
  const chunk = DuckDBDataChunk.create(TYPES, rows)
  chunk.setColumnValues(0, new Array(rows).fill(seg))
  const times = (['at', 'received'] as const).map((name) =>
    slices.map(({ batch, from, to }) => batch[name].subarray(from, to)),
  )
  const texts = TEXT_COLUMNS.map((name) =>
    slices.map(({ batch, from, to }) => ({ column: batch.texts[name], from, to })),
  )
  if (isByBytes) {
    for (const [at, parts] of times.entries()) setNumbers(chunk, 1 + at, parts)
    for (const [at, parts] of texts.entries()) setTexts(chunk, 1 + times.length + at, parts)
    return chunk
  }
  for (const [at, parts] of times.entries()) {
    chunk.setColumnValues(
      1 + at,
      parts.flatMap((values) => [...values].map(BigInt)),
    )
  }
  for (const [at, parts] of texts.entries()) {
    chunk.setColumnValues(1 + times.length + at, parts.flatMap(valuesOf))
  }
  return chunk
}

const valuesOf = ({ column, from, to }: TextRows) =>
  Array.from({ length: to - from }, (_, row) => textAt(column, from + row))
