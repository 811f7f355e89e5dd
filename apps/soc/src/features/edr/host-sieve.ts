import type { LogRecord } from '@manara/log-query/event'
import { createTellAgain } from '../../core/arrivals/tell-again.ts'
import { COLLECTOR_FIELD } from './collector-field.ts'
import { hostSighting, tellsAboutItself } from './host-sighting.ts'

const AGAIN_MS = 10_000

/** Where events are read: those that tell of a host or a collector what was not told a moment ago. */
export function createSieve(now?: () => number) {
  const isNews = createTellAgain(AGAIN_MS, now)

  function tellsOfHost(log: LogRecord): boolean {
    if (log.host === null) return false
    // Nearly all only name it.
    if (!tellsAboutItself(log)) return isNews(log.host)
    const { ips = [], os = '' } = hostSighting(log) ?? {}
    return isNews(`${log.host} ${ips.join()} ${os}`)
  }

  function tellsOfCollector({ fields }: LogRecord): boolean {
    const name = fields[COLLECTOR_FIELD]
    return typeof name === 'string' && isNews(`${COLLECTOR_FIELD}: ${name}`)
  }

  return (log: LogRecord): boolean => {
    const isOfHost = tellsOfHost(log)
    return tellsOfCollector(log) || isOfHost
  }
}
