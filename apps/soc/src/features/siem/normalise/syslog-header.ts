import { parseCiscoHeader } from './cisco-header.ts'
import type { Fields } from './fields.ts'
import type { Parsed, ParseText } from './parsed.ts'
import { severityOf } from './severity.ts'
import { momentOf } from './timestamps.ts'

const FACILITIES =
  'kern user mail daemon auth syslog lpr news uucp cron authpriv ftp ntp audit alert clock local0 local1 local2 local3 local4 local5 local6 local7'.split(
    ' ',
  )
const SEVERITIES = 'emerg alert crit err warning notice info debug'.split(' ')

const PRIORITY = /^<(\d{1,3})>/
const RFC5424 = /^1 (\S+) (\S+) (\S+) (\S+) (\S+) ?/
// The year stands before the clock or, as ArubaOS writes it, after it.
const MONTH_TIME = String.raw`[A-Z][a-z]{2} +\d{1,2}(?: \d{4})? \d{2}:\d{2}:\d{2}(?:\.\d{1,9})?(?: (?:19|20)\d{2})?`
const ISO_TIME = String.raw`\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}(?:[.,]\d{1,9})?(?:Z|z|[+-]\d{2}:?\d{2})?`
// Sophos UTM: `2026:03:03-10:00:00`.
const UTM_TIME = String.raw`\d{4}:\d{2}:\d{2}-\d{2}:\d{2}:\d{2}`
const RFC3164 = new RegExp(`^(${MONTH_TIME}|${ISO_TIME}|${UTM_TIME}) `)
// A tag ends at the first character that cannot belong to a program's name, mostly `[` or `:`.
const TAG = /^([\w./@+-]{1,64})(?:\[([^\]]{1,32})\])?: ?/
const HOST = /^([\w.:-]{1,255}) /
// What AIX writes in the place of the machine when it passes a message on.
const FORWARDED = /^Message forwarded from ([\w.:-]{1,255}): /
const NO_HOST = /^(?:\d+|[A-Z])$/
// Programs that write their own files put how bad it is where syslog has the machine.
const LEVEL =
  /^(?:TRACE|DEBUG|INFO|INFORMATION|NOTICE|WARN|WARNING|ERR|ERROR|SEVERE|CRIT|CRITICAL|ALERT|EMERG|FATAL|PANIC)$/i
// What container runtimes write after the time.
const STREAM = /^(stdout|stderr) [FP] /
const ISO_BEGIN = /^\d{4}-/

/** A byte order mark says that the text is UTF-8, which all of ours are. */
export const withoutMark = (text: string) => (text[0] === '\ufeff' ? text.slice(1) : text)

/** The address that a message came from, and the name in its sender's certificate. */
export const PEER = 'syslog.peer'
export const CLIENT = 'syslog.client'

/** The program as the header has it, where the column says less. */
export const APPNAME = 'syslog.appname'

/** RFC 5424 and 3164 with their priority, and lines of log files, which lack it. */
export const parseSyslog: ParseText = (text, { receivedAt }) => {
  const [head, digits] = (text[0] === '<' ? PRIORITY.exec(text) : null) ?? ['']
  const priority = digits === undefined ? undefined : Number(digits)
  if (priority !== undefined && priority > 191) return undefined
  const rest = text.slice(head.length)
  const cisco = parseCiscoHeader(rest, receivedAt)
  const parsed =
    (priority === undefined ? undefined : parse5424(rest, receivedAt)) ??
    cisco ??
    parse3164(rest, receivedAt) ??
    (priority === undefined ? undefined : parseTag(rest, { fields: {} }))
  if (!parsed) return undefined
  if (priority === undefined) {
    return parsed === cisco || isLogFileLine(rest, parsed) ? named(parsed) : parsed
  }
  const level = priority & 7
  return {
    ...named(parsed),
    severity: severityOf(level, 'syslog'),
    fields: {
      'syslog.facility': FACILITIES[priority >> 3] ?? '',
      'syslog.severity': SEVERITIES[level] ?? '',
      ...parsed.fields,
    },
  }
}

const named = (parsed: Parsed): Parsed => ({ ...parsed, machine: parsed.host })

/** `2026-01-05T01:02:03Z ERROR worker: …` begins alike and names no machine. */
const isLogFileLine = (text: string, { process, fields }: Parsed) =>
  process !== undefined && (!/^\d/.test(text) || fields['syslog.procid'] !== undefined)

function parse5424(text: string, receivedAt: number): Parsed | undefined {
  const header = RFC5424.exec(text)
  if (!header) return undefined
  const [matched, time, host, process, procid, msgid] = header.map((part) =>
    part === '-' ? undefined : part,
  )
  const fields: Fields = {}
  if (procid) fields['syslog.procid'] = procid
  if (msgid) fields['syslog.msgid'] = msgid
  const at = momentOf(time, receivedAt)
  if (time && at === undefined) fields['syslog.timestamp'] = time
  const begin = matched?.length ?? 0
  // Junos puts all of an event here, so that for it this is the message, with the event's name.
  const isJunos = msgid !== undefined && text.startsWith('[junos@', begin)
  const end = isJunos ? begin - msgid.length - 1 : readStructuredData(text, begin, fields)
  const message = withoutMark(text.slice(text[end] === ' ' ? end + 1 : end))
  return { source: 'syslog', at, host, process, event_code: msgid, message, fields }
}

/** No event has more fields, or more in a list: structured data with more are part of the message, too. */
const MOST_PARAMETERS = 1_000

/** `[id name="value" …]…` or `-`; answers where the message begins. */
function readStructuredData(text: string, from: number, fields: Fields): number {
  if (text[from] === '-') return from + 1
  let at = from
  let count = 0
  while (text[at] === '[') {
    const [opening, id] = /^\[([^\s=\]"]{1,64})/.exec(text.slice(at, at + 66)) ?? []
    if (!opening) return at
    at += opening.length
    for (;;) {
      PARAMETER.lastIndex = at
      const [pair, name, value] = PARAMETER.exec(text) ?? []
      if (!pair || value === undefined || count === MOST_PARAMETERS) break
      count += 1
      addValue(fields, `${id}.${name}`, value.replace(/\\(["\\\]])/g, '$1'))
      at += pair.length
    }
    if (text[at] !== ']') return from
    at += 1
  }
  return at
}

/** A name may come several times, as `ip` in `[origin ip="192.0.2.1" ip="192.0.2.2"]`. */
function addValue(fields: Fields, name: string, value: string) {
  const there = fields[name]
  if (there === undefined) fields[name] = value
  else if (Array.isArray(there)) there.push(value)
  else fields[name] = [there, value]
}

const PARAMETER = / ([^\s=\]"]{1,64})="([^"\\]*(?:\\.[^"\\]*)*)"/sy

function parse3164(text: string, receivedAt: number): Parsed | undefined {
  const [matched, time] = RFC3164.exec(text) ?? []
  if (!matched) return undefined
  const at = momentOf(time?.replace(/^(\d{4}):(\d\d):(\d\d)-/, '$1-$2-$3 '), receivedAt)
  const fields: Fields = at === undefined ? { 'syslog.timestamp': time ?? '' } : {}
  const rest = text.slice(matched.length)
  const [mark, stream] = STREAM.exec(rest) ?? []
  if (mark && stream) {
    return { at, message: rest.slice(mark.length), fields: { ...fields, 'log.iostream': stream } }
  }
  const [before, host] = HOST.exec(rest) ?? ['']
  // MySQL and MongoDB begin with a time too: then a number or a letter follows, and no host.
  if (host && NO_HOST.test(host) && ISO_BEGIN.test(text)) return undefined
  if (host && LEVEL.test(host)) {
    const severity = severityOf(host)
    const said = { at, fields: { ...fields, 'log.level': host }, ...(severity ? { severity } : {}) }
    return parseTag(rest.slice(before.length), said)
  }
  const [words, machine] = (host === 'Message' ? FORWARDED.exec(rest) : null) ?? []
  if (words) return parseTag(rest.slice(words.length), { at, host: machine, fields })
  // Some programs leave the host out: then the next word is their tag already.
  if (!host || host.endsWith(':')) return parseTag(rest, { at, fields })
  return parseTag(rest.slice(before.length), { at, host, fields })
}

// `CEF:0|…`, `LEEF:2.0|…` and an address with its port look like a program and what it says.
const NO_TAG = /^(?:(?:CEF|LEEF): ?\d|\d{1,3}(?:\.\d{1,3}){3}:\d)/

function parseTag(text: string, parsed: Parsed): Parsed {
  const [tag, process, procid] = (NO_TAG.test(text) ? null : TAG.exec(text)) ?? ['']
  if (procid) parsed.fields['syslog.procid'] = procid
  const message = withoutMark(text.slice(tag.length))
  return { source: 'syslog', ...parsed, process, message }
}
