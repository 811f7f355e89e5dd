import { addressOf } from '../../addresses.ts'
import type { Fields } from '../../fields.ts'
import type { Memory, Parsed, ParseText } from '../../parsed.ts'
import { endOfQuoted } from '../../scan/cursor.ts'
import { keptFields, numberIn } from '../../scan/kept-fields.ts'
import { work } from '../../scan/work.ts'
import { momentOf } from '../../timestamps.ts'
import type { TextFormat } from '../log-format.ts'

const REMEMBERED = 'linux.auditd'
const MOST_PAIRS = 300
const MOST_ARGUMENTS = 200
const MOST_RECORDS = 20
/** What users chose themselves is in quotes, or in hex where it holds blanks or quotes. */
const HEX_NAMES = /^(?:a\d{1,3}|acct|cmd|comm|cwd|exe|name|proctitle|data|dir|path|key|op)$/
const UNKNOWN = new Set(['?', '(null)', '(none)', 'unset', '4294967295', '-1', ''])

// The kernel writes the time since its start before the record, and what it is.
const BEGIN =
  /(?:\[ *\d+\.\d+\] ?)?(?:audit(?:\[\d+\])?: )?(?:node=\S{1,100} )?(?:type=\S{1,40} )?(?:msg=)?audit\(/

type AuditRecord = { type: string; time: string; id: string; fields: Record<string, string> }

/** What the first record of an event says of those after it. */
type First = { id: string; user: string | undefined; process: string | undefined; shared: Fields }

/**
 * The kernel's audit log: `type=… msg=audit(time:id): …`, with what programs say in `msg='…'`, of
 * one record or of several that are one event.
 */
const read: ParseText = (text, { receivedAt, memory }) => {
  const records = recordsIn(text)
  const [first] = records
  if (!first) return undefined
  const fields: Record<string, string> = {}
  for (const record of records) {
    for (const name in record.fields) {
      if (Object.hasOwn(fields, name) && !isArgument(record, name)) continue
      fields[name] = record.fields[name] ?? ''
    }
  }
  const parsed = eventOf(first, records, fields, receivedAt)
  return joinedWithFirst(parsed, first.id, memory)
}

/** A call has numbers under the names that a program's arguments have. */
const isArgument = ({ type }: AuditRecord, name: string) => type === 'EXECVE' && /^a\d+$/.test(name)

function recordsIn(text: string): AuditRecord[] {
  const records: AuditRecord[] = []
  let at = text.indexOf('audit(')
  while (at !== -1 && records.length < MOST_RECORDS) {
    const close = text.indexOf(')', at)
    const [time = '', id = ''] = close - at > 60 ? [] : text.slice(at + 6, close).split(':')
    if (close === -1 || !/^\d{9,10}\.\d{1,9}$/.test(time)) return records
    const next = text.indexOf('audit(', close)
    const end = next === -1 ? text.length : Math.max(close, text.lastIndexOf('type=', next))
    const fields = pairsOf(text.slice(close + 1, end))
    const before = text.slice(Math.max(0, at - 120), at)
    const type = /type=(\S{1,40}) (?:msg=)?$/.exec(before)?.[1] ?? ''
    const node = /(?:^|\s)node=(\S{1,100}) type=\S+ (?:msg=)?$/.exec(before)?.[1]
    if (node) fields.node = node
    records.push({ type, time, id: `${time}:${id}`, fields })
    work.steps += end - at
    at = next
  }
  return records
}

function pairsOf(text: string, pairs: Record<string, string> = {}): Record<string, string> {
  let count = 0
  let at = 0
  while (at < text.length && count < MOST_PAIRS) {
    const equals = text.indexOf('=', at)
    if (equals === -1) break
    const blank = lastBlank(text, at, equals)
    const name = text.slice(blank + 1, equals)
    const quote = text[equals + 1]
    const isQuote = quote === '"' || quote === "'"
    const close = isQuote ? (endOfQuoted(text, equals + 1, quote) ?? text.length) : undefined
    const end = close ?? endOfWord(text, equals + 1)
    const value = text.slice(equals + (isQuote ? 2 : 1), end)
    if (quote === "'" && name === 'msg') pairsOf(value, pairs)
    else if (name && name !== '__proto__' && !Object.hasOwn(pairs, name)) {
      pairs[name] = isQuote || !HEX_NAMES.test(name) ? value : plainOf(value, name)
    }
    count += 1
    work.steps += end + 1 - at
    at = end + 1
  }
  return pairs
}

function lastBlank(text: string, from: number, to: number): number {
  for (let at = to - 1; at >= from; at -= 1) if (isBetween(text.charCodeAt(at))) return at
  return from - 1
}

function endOfWord(text: string, from: number): number {
  let at = from
  while (at < text.length && !isBetween(text.charCodeAt(at))) at += 1
  return at
}

/** A blank, a comma, or the mark before what an enriched log adds. */
const isBetween = (code: number) => code === 0x20 || code === 0x1d || code === 0x2c || code === 0x0a

/** Hex of a text; the parts of a title have NULs between them. */
function plainOf(value: string, name: string): string {
  const isHex = value.length > 1 && value.length % 2 === 0 && /^[0-9A-F]+$/.test(value)
  // A number in decimal is no text in hex: `a0=22` of a system call.
  if (!isHex || (/^a\d/.test(name) && value.length < 4)) return value
  work.steps += value.length
  return Buffer.from(value, 'hex').toString('utf8').replaceAll('\0', ' ').trim()
}

function eventOf(
  { type, time, id, fields: own }: AuditRecord,
  records: AuditRecord[],
  fields: Record<string, string>,
  receivedAt: number,
): Parsed {
  const of = (...names: string[]) =>
    names.map((name) => fields[name]).find((value) => value !== undefined && !UNKNOWN.has(value))
  const outcome = of('res', 'success', 'result')
  const command = argumentsOf(records) ?? of('cmd') ?? of('proctitle')
  return {
    source: 'auditd',
    at: momentOf(Number(time), receivedAt),
    machine: own.node,
    host: own.node,
    severity: isGood(outcome) === false ? 'low' : undefined,
    user: of('acct', 'AUID', 'UID', 'id') ?? of('auid', 'uid'),
    process: of('comm', 'exe'),
    event_code: type || undefined,
    src_ip: addressOf(of('addr', 'laddr')) ?? addressOf(of('hostname')),
    fields: {
      ...fields,
      ...keptFields({
        type: records.length > 1 ? [...new Set(records.map((record) => record.type))] : type,
        'auditd.id': id,
        'event.action': of('op') ?? type.toLowerCase(),
        'event.outcome': outcomeOf(outcome),
        'process.command_line': command,
        'process.executable': of('exe'),
        'process.pid': numberIn(of('pid')),
        'process.working_directory': of('cwd'),
        'file.path': of('name'),
        'user.id': of('auid', 'uid'),
        'auditd.key': of('key'),
      }),
    },
  }
}

/** `EXECVE` has a program's arguments one by one. */
function argumentsOf(records: AuditRecord[]): string | undefined {
  const { fields } = records.find(({ type }) => type === 'EXECVE') ?? {}
  const count = Math.min(Number(fields?.argc ?? 0) || 0, MOST_ARGUMENTS)
  const parts: string[] = []
  for (let index = 0; index < count; index += 1) {
    const argument = fields?.[`a${index}`]
    if (argument !== undefined) parts.push(argument)
  }
  return parts.length > 0 ? parts.join(' ') : undefined
}

function isGood(outcome: string | undefined): boolean | undefined {
  if (outcome === undefined) return undefined
  return ['success', 'yes', '1'].includes(outcome.toLowerCase())
}

function outcomeOf(outcome: string | undefined): string | undefined {
  const good = isGood(outcome)
  return good === undefined ? undefined : good ? 'success' : 'failure'
}

/** Records of one event come one after the other: who did it stands in the first. */
function joinedWithFirst(parsed: Parsed, id: string, memory: Memory | undefined): Parsed {
  const first = memory?.get(REMEMBERED) as First | undefined
  if (first?.id === id) {
    return {
      ...parsed,
      user: parsed.user ?? first.user,
      process: parsed.process ?? first.process,
      fields: { ...first.shared, ...parsed.fields },
    }
  }
  const { user, process, fields } = parsed
  const shared = keptFields({
    exe: fields.exe,
    key: fields.key,
    'process.executable': fields['process.executable'],
    'process.pid': fields['process.pid'],
    'event.outcome': fields['event.outcome'],
    'auditd.key': fields['auditd.key'],
  })
  memory?.set(REMEMBERED, { id, user, process, shared } satisfies First)
  return parsed
}

export const auditd: TextFormat = {
  id: 'linux.auditd',
  title: 'auditd and the kernel’s audit messages',
  group: 'linux',
  kind: 'text',
  remembers: true,
  ecs: 'process',
  ocsf: { class: 'process_activity', activity: { execve: 'launch', syscall: 'other' } },
  overrules: true,
  when: { marks: ['audit('], begins: BEGIN },
  read,
  samples: [
    {
      event:
        'type=USER_LOGIN msg=audit(1772532000.250:77): pid=901 uid=0 auid=4294967295 ses=4294967295 msg=\'op=login acct="eve" exe="/usr/sbin/sshd" hostname=? addr=192.0.2.7 terminal=ssh res=failed\'',
      expect: {
        at: '2026-03-03T10:00:00.250Z',
        severity: 'low',
        user: 'eve',
        process: 'sshd',
        event_code: 'USER_LOGIN',
        src_ip: '192.0.2.7',
        fields: {
          'event.action': 'login',
          'event.outcome': 'failure',
          'process.pid': 901,
          'auditd.id': '1772532000.250:77',
        },
      },
    },
    {
      event:
        'node=web1 type=EXECVE msg=audit(1772532000.250:78): argc=3 a0="sh" a1="-c" a2=6361742022612062220A',
      expect: {
        host: 'web1',
        event_code: 'EXECVE',
        fields: { 'process.command_line': 'sh -c cat "a b"' },
      },
    },
    {
      event:
        'type=SYSCALL msg=audit(1772532000.250:79): arch=c000003e syscall=59 success=yes exit=0 ppid=1 pid=902 auid=1000 uid=0 a0=7ffd1 a1=7ffd2 comm="cat" exe="/usr/bin/cat" key="watch" type=EXECVE msg=audit(1772532000.250:79): argc=2 a0="cat" a1="/etc/shadow" type=CWD msg=audit(1772532000.250:79): cwd="/root" type=PATH msg=audit(1772532000.250:79): item=0 name="/etc/shadow" nametype=NORMAL type=PROCTITLE msg=audit(1772532000.250:79): proctitle=636174002F6574632F736861646F77',
      expect: {
        user: '1000',
        process: 'cat',
        event_code: 'SYSCALL',
        fields: {
          'process.command_line': 'cat /etc/shadow',
          'process.working_directory': '/root',
          'file.path': '/etc/shadow',
          'event.outcome': 'success',
          proctitle: 'cat /etc/shadow',
          type: ['SYSCALL', 'EXECVE', 'CWD', 'PATH', 'PROCTITLE'],
          a1: '/etc/shadow',
        },
      },
    },
  ],
}
