import { randomUUID } from 'node:crypto'
import type { StoredLog } from '../ports/log-store.ts'

/** An event with only what a test is about. */
export function storedLog(rest: Partial<StoredLog> = {}): StoredLog {
  const at = rest.at ?? Date.now()
  return {
    id: randomUUID(),
    at,
    source: 'test',
    host: null,
    severity: 'info',
    message: '',
    user: null,
    process: null,
    event_code: null,
    src_ip: null,
    dst_ip: null,
    fields: {},
    received_at: at,
    original: null,
    ...rest,
  }
}
