import type { IocType } from '@manara/soc-contract/iocs'
import { storable } from '@manara/soc-contract/storable'
import type { StoredLog } from '../../ports/log-store.ts'
import type { Matcher } from './domain/indicator-matcher.ts'

/** An event that seems to hold an indicator. */
export type Hit = {
  type: IocType
  value: string
  log_id: string
  /** ISO 8601, of the event. */
  seen_at: string
  host: string | null
  /** ISO 8601, when it was taken in. */
  received_at: string
}

/** One that has more is a list of indicators, and says nothing of any of them. */
const MOST_OF_AN_EVENT = 100

/** Each indicator once, wherever in the event it is. */
export function matchLog(matcher: Matcher, log: StoredLog): Hit[] {
  const hits = new Map<string, Hit>()
  const found = (type: IocType, value: string) => {
    const key = `${type} ${value}`
    if (hits.has(key) || hits.size >= MOST_OF_AN_EVENT) return
    hits.set(key, {
      type,
      value,
      log_id: storable(log.id),
      seen_at: new Date(log.at).toISOString(),
      host: log.host && storable(log.host),
      received_at: new Date(log.received_at).toISOString(),
    })
  }
  matcher.scan(log.message, found)
  for (const text of [log.host, log.user, log.process, log.src_ip, log.dst_ip]) {
    if (text !== null) matcher.scan(text, found)
  }
  for (const name in log.fields) {
    const value = log.fields[name]
    if (typeof value === 'string') matcher.scan(value, found, name)
    else if (Array.isArray(value)) {
      for (const one of value) if (typeof one === 'string') matcher.scan(one, found, name)
    }
  }
  return [...hits.values()]
}
