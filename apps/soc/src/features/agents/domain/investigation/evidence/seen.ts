import type { LogRecord } from '@manara/log-query/event'
import { hostOf, programOf } from './names.ts'

export type Kind = 'sysmon' | 'security' | 'powershell' | 'system' | 'auth' | 'web' | 'other'

/** An event as the investigation looks at it. */
export type Seen = {
  id: string
  at: number
  host: string
  kind: Kind
  code: number
  /** The text of a field, empty when it is absent; never longer than is worth looking at. */
  text(name: string): string
  program(name: string): string
  /** The command line in words, in lower case. */
  words(): string[]
  log: LogRecord
}

const LONGEST = 8_192
// Longer than any collector needs to hand an event on: more apart, one of two clocks is wrong.
const MOST_DELAY_MS = 10 * 60_000

export function lookAt(log: LogRecord): Seen {
  const { fields } = log
  const text = (name: string): string => {
    const value = Object.hasOwn(fields, name) ? fields[name] : undefined
    const one = Array.isArray(value) ? value[0] : value
    if (one === undefined || one === null) return ''
    const whole = typeof one === 'string' ? one : String(one)
    return whole.length > LONGEST ? whole.slice(0, LONGEST) : whole
  }
  let words: string[] | undefined
  const code = Number(log.event_code ?? (text('EventID') || Number.NaN))
  return {
    id: log.id,
    at: momentOf(log, text('UtcTime')),
    host: hostOf(text('Computer') || text('Hostname') || text('host.name') || log.host),
    kind: kindOf(log, text, code),
    code: Number.isNaN(code) ? -1 : code,
    text,
    program: (name) => programOf(text(name)),
    words: () => {
      words ??= wordsOf(text('CommandLine'))
      return words
    },
    log,
  }
}

/** Sysmon says when it happened; the store may know only when a collector passed it on. */
function momentOf({ at }: LogRecord, utcTime: string): number {
  if (utcTime === '') return at
  const own = Date.parse(`${utcTime.replace(' ', 'T').replace(/Z$/, '')}Z`)
  return Math.abs(own - at) <= MOST_DELAY_MS ? own : at
}

function kindOf(log: LogRecord, text: Seen['text'], code: number): Kind {
  const channel = `${text('Channel')} ${text('Provider_Name') || text('SourceName')}`.toLowerCase()
  if (channel !== ' ' && !Number.isNaN(code)) {
    if (channel.includes('sysmon')) return 'sysmon'
    if (channel.includes('powershell')) return 'powershell'
    if (channel.startsWith('security') || channel.includes('security-auditing')) return 'security'
    return 'system'
  }
  if (log.source === 'auth' || text('event.action').startsWith('ssh_')) return 'auth'
  return text('sc-status') === '' && text('http.response.status_code') === '' ? 'other' : 'web'
}

/** Quotes part words too: what a shell is told to run in quotes is looked at like the rest. */
function wordsOf(commandLine: string): string[] {
  return commandLine
    .toLowerCase()
    .split(/[\s"'`]+/)
    .filter((word) => word !== '')
}

/** `ProcessId: 4512` among the lines of a message: some forwarders drop the field. */
export function inMessage(message: string, name: string): string {
  const start = message.indexOf(`\n${name}:`)
  if (start < 0) return ''
  const from = start + name.length + 2
  const end = message.indexOf('\n', from)
  return message.slice(from, end < 0 ? from + 500 : end).trim()
}
