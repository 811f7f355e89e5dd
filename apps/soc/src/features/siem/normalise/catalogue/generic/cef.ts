import { addressOf } from '../../addresses.ts'
import type { Fields } from '../../fields.ts'
import { type ParseText, textOf } from '../../parsed.ts'
import { keptFields, numberIn } from '../../scan/kept-fields.ts'
import { severityOf } from '../../severity.ts'
import { momentOf } from '../../timestamps.ts'
import type { TextFormat } from '../log-format.ts'
import { windowsOfCef } from '../windows/windows-cef.ts'

const HEADER = [
  'deviceVendor',
  'deviceProduct',
  'deviceVersion',
  'deviceEventClassId',
  'name',
  'severity',
]

const BEGIN = /\bCEF: ?\d+\|/

/** `CEF:0|vendor|product|version|class|name|severity|extension`, wherever in the line it begins. */
export const parseCef: ParseText = (text, { receivedAt }) => {
  const begin = text.includes('CEF:') ? BEGIN.exec(text) : null
  if (!begin) return undefined
  const { parts, end } = readHeader(text, begin.index + begin[0].length)
  if (parts.length < HEADER.length) return undefined
  const fields: Fields = {}
  HEADER.forEach((name, index) => {
    fields[name] = unescaped(parts[index] ?? '')
  })
  // The extension may use a name of the header, as `name` or `severity`: then it is the event's own.
  Object.assign(fields, extensionOf(text.slice(end)))
  const of = (...names: string[]) => names.map((name) => textOf(fields[name])).find(Boolean)
  return {
    source: 'cef',
    at: momentOf(of('rt', 'end', 'start', 'deviceReceiptTime'), receivedAt),
    machine: of('dvchost', 'deviceHostName'),
    host: of('dvchost', 'deviceHostName', 'shost', 'dvc'),
    severity: severityOf(parts[5], 'cef'),
    user: of('suser', 'duser'),
    process: of('sproc', 'dproc', 'deviceProcessName'),
    event_code: of('deviceEventClassId'),
    src_ip: addressOf(fields.src),
    dst_ip: addressOf(fields.dst),
    fields: { ...windowsOfCef(fields), ...fields, ...sharedNames(of) },
  }
}

const sharedNames = (of: (...names: string[]) => string | undefined) =>
  keptFields({
    'source.port': numberIn(of('spt')),
    'destination.port': numberIn(of('dpt')),
    'event.action': of('act', 'deviceAction'),
    'event.outcome': of('outcome', 'eventOutcome')?.toLowerCase(),
    'event.reason': of('reason'),
    'network.transport': of('proto', 'transportProtocol')?.toLowerCase(),
    'network.protocol': of('app', 'applicationProtocol'),
    'source.bytes': numberIn(of('out')),
    'destination.bytes': numberIn(of('in')),
    'url.original': of('request', 'requestURL'),
    'url.domain': of('dhost', 'destinationHostName'),
    'http.request.method': of('requestMethod'),
    'user_agent.original': of('requestClientApplication'),
    'user.target.name': of('suser') && of('duser'),
    'file.path': of('filePath', 'fname'),
    ...hashOf(of('fileHash')),
    'rule.name': of('name'),
  })

/** Told by its length: the name does not say which one it is. */
function hashOf(hash: string | undefined): Record<string, string> {
  const kind = { 32: 'md5', 40: 'sha1', 64: 'sha256' }[hash?.length ?? 0]
  return kind && hash ? { [`file.hash.${kind}`]: hash } : {}
}

/** Six parts between bars; a bar or backslash inside a part is escaped. */
function readHeader(text: string, from: number) {
  const parts: string[] = []
  let start = from
  for (let at = from; at < text.length && parts.length < HEADER.length; at += 1) {
    if (text[at] === '\\') at += 1
    else if (text[at] === '|') {
      parts.push(text.slice(start, at))
      start = at + 1
    }
  }
  // Without an extension the last bar may be missing.
  if (parts.length === HEADER.length - 1) {
    parts.push(text.slice(start))
    start = text.length
  }
  return { parts, end: start }
}

const MOST_PAIRS = 500

/** Values hold spaces: a pair ends where the next ` key=` begins. */
function extensionOf(text: string): Fields {
  const keys = [...text.matchAll(/(?:^|\s)([\w.[\]-]+)=/g)].slice(0, MOST_PAIRS)
  return Object.fromEntries(
    keys.map((match, index) => {
      const end = keys[index + 1]?.index ?? text.length
      return [match[1], unescaped(text.slice(match.index + match[0].length, end).trim())]
    }),
  )
}

const unescaped = (text: string) =>
  text.includes('\\')
    ? text.replace(/\\([\\|=nr])/g, (_, one) => (one === 'n' ? '\n' : one === 'r' ? '\r' : one))
    : text

export const cef: TextFormat = {
  id: 'generic.cef',
  title: 'ArcSight Common Event Format (CEF)',
  group: 'generic',
  kind: 'text',
  ecs: 'network',
  ocsf: { class: 'security_finding', activity: 'create' },
  overrules: true,
  when: { marks: ['CEF:'], begins: BEGIN },
  read: parseCef,
  samples: [
    {
      event:
        '<134>Mar  3 10:00:00 fw1 CEF:0|Acme|Wall|2.1|100|Connection refused|8|rt=1772532000000 src=192.0.2.7 spt=4711 dst=198.51.100.2 dpt=22 suser=eve act=deny msg=no rule allows it',
      expect: {
        at: '2026-03-03T10:00:00.000Z',
        host: 'fw1',
        severity: 'high',
        user: 'eve',
        process: null,
        event_code: '100',
        src_ip: '192.0.2.7',
        dst_ip: '198.51.100.2',
        fields: {
          deviceVendor: 'Acme',
          msg: 'no rule allows it',
          'event.action': 'deny',
          'source.port': 4711,
          'destination.port': 22,
        },
      },
    },
  ],
}
