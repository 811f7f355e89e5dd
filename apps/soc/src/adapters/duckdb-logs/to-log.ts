import { decodeFields } from '@manara/log-query/duckdb-fields'
import type { StoredLog } from '../../ports/log-store.ts'

/** Of the columns in their order; whole numbers in any shape. */
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
  ] = row as [bigint | number | string, bigint | number | string, ...string[]]
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
