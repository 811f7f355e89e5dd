import type { Log } from '@manara/soc-contract/siem'
import type { CaseEvent } from './material.ts'

const COMMAND_LINES = ['CommandLine', 'process.command_line', 'ProcessCommandLine', 'cmdline']
const LONGEST = 500

export function caseEvent(log: Log): CaseEvent {
  const what = COMMAND_LINES.map((name) => valueAt(log.fields, name)).find(Boolean) ?? log.message
  const line = what.replaceAll(/\s+/g, ' ').trim()
  return {
    at: log.timestamp,
    host: log.host ?? '',
    user: log.user ?? '',
    process: log.process ?? '',
    what: line.length > LONGEST ? `${line.slice(0, LONGEST).toWellFormed()} …` : line,
  }
}

/** Fields come in the shape in which they were sent: dotted, or nested. */
function valueAt(fields: Record<string, unknown>, name: string): string | undefined {
  const nested = name
    .split('.')
    .reduce<unknown>((at, step) => (at as Record<string, unknown> | undefined)?.[step], fields)
  const value = fields[name] ?? nested
  return typeof value === 'string' && value !== '' ? value : undefined
}
