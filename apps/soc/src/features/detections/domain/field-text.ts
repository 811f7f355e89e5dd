import { type LogRecord, locate } from '@manara/log-query/event'
import { textsAt, viewOf } from '@manara/log-query/event-view'

/** By the names of the query language; undefined when the event does not have it. */
export function fieldText(log: LogRecord, name: string): string | undefined {
  const location = locate(name)
  if (location.kind === 'timestamp') return new Date(log.at).toISOString()
  const texts = textsAt(viewOf(log), location)
  if (texts === null) return undefined
  return typeof texts === 'string' ? texts : texts.join(', ')
}
