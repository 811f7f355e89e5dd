import type { Log } from '@manara/soc-contract/siem'
import type { StoredLog } from '../../../ports/log-store.ts'
import { rebuild } from '../normalise/fields.ts'
import { COLLECTOR, textOf } from '../normalise/parsed.ts'

/** An event as it is told: its fields in the shape in which they came. */
export function toLog(log: StoredLog): Log {
  return {
    id: log.id,
    timestamp: new Date(log.at).toISOString(),
    source: log.source,
    host: log.host,
    collector: collectorOf(log),
    severity: log.severity,
    message: log.message,
    user: log.user,
    process: log.process,
    event_code: log.event_code,
    src_ip: log.src_ip,
    dst_ip: log.dst_ip,
    fields: rebuild(log),
  }
}

const collectorOf = ({ fields }: StoredLog) => textOf(fields[COLLECTOR]) ?? null
