import type { LogRecord } from '@manara/log-query/event'
import { fold } from '@manara/log-query/fold'
import { fieldText } from './field-text.ts'

/** Equal for events of one group, without regard to case; an event that lacks a field is in none. */
export function groupKey(log: LogRecord, fields: string[]): string | undefined {
  const values: string[] = []
  for (const name of fields) {
    const value = foldedText(log, name)
    if (value === undefined) return undefined
    values.push(value)
  }
  return JSON.stringify(values)
}

export function foldedText(log: LogRecord, name: string): string | undefined {
  const value = fieldText(log, name)
  return value === undefined ? undefined : fold(value)
}
