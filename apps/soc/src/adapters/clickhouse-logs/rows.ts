import { encodeTexts } from '@manara/log-query/clickhouse-columns'
import type { StoredLog } from '../../ports/log-store.ts'

/** What is read back; the other columns are there to be searched. */
export const STORED = [
  'id',
  'at',
  'received_at',
  'source',
  'host',
  'severity',
  'message',
  'user',
  'process',
  'event_code',
  'src_ip',
  'dst_ip',
  'fields',
  'original',
]
  .map((name) => `\`${name}\``)
  .join(', ')

type StoredRow = Omit<StoredLog, 'at' | 'received_at' | 'fields'> & {
  at: string
  received_at: string
  fields: string
}

/** What a Date can hold. */
const FIRST_DAY = Date.UTC(1970, 0, 1)
const LAST_DAY = Date.UTC(2105, 0, 1)

/** `2026-03-02`; moments beyond what a Date can hold count for its first or last day. */
export function dayOf(ms: number): string {
  return new Date(Math.max(FIRST_DAY, Math.min(LAST_DAY, ms))).toISOString().slice(0, 10)
}

export function toRow(log: StoredLog): object {
  const { fields, at, received_at, ...columns } = log
  return {
    ...columns,
    at,
    received_at,
    received_day: dayOf(received_at),
    fields: JSON.stringify(fields),
    ...encodeTexts(log),
  }
}

export function toLog(row: unknown): StoredLog {
  const { at, received_at, fields, ...columns } = row as StoredRow
  return {
    ...columns,
    at: Number(at),
    received_at: Number(received_at),
    fields: JSON.parse(fields),
  }
}
