import { addressOf } from '../../addresses.ts'
import { type Memory, type ParseText, textOf } from '../../parsed.ts'
import { keptFields, numberIn } from '../../scan/kept-fields.ts'
import { work } from '../../scan/work.ts'
import { momentOf } from '../../timestamps.ts'
import type { TextFormat } from '../log-format.ts'

const HEADER = '#Fields: '
const REMEMBERED = 'web.iis'
const MOST_COLUMNS = 64

const BEFORE = 'date time'
const REQUEST = 'cs-method cs-uri-stem cs-uri-query s-port cs-username c-ip'
const END = 'sc-status sc-substatus sc-win32-status'
/** What IIS writes unless told otherwise, by version, and all it can write: told apart by their number. */
const USUAL = [
  `${BEFORE} s-ip ${REQUEST} cs(User-Agent) cs(Referer) ${END} time-taken`,
  `${BEFORE} s-ip ${REQUEST} cs(User-Agent) ${END} time-taken`,
  `${BEFORE} s-ip ${REQUEST} cs(User-Agent) ${END}`,
  `${BEFORE} s-sitename s-ip ${REQUEST} cs(User-Agent) cs(Referer) ${END} time-taken`,
  `${BEFORE} s-sitename s-computername s-ip ${REQUEST} cs-version cs(User-Agent) cs(Cookie) cs(Referer) cs-host ${END} sc-bytes cs-bytes time-taken`,
].map((names) => names.split(' '))

const OURS: Record<string, string> = {
  'cs(User-Agent)': 'cs-user-agent',
  'cs(Referer)': 'cs-referer',
  'cs(Cookie)': 'cs-cookie',
  'cs(Host)': 'cs-host',
}

/** The W3C extended format of IIS, with `#Fields` before it or in one of the usual orders. */
const read: ParseText = (text, { receivedAt, memory }) => {
  if (text[0] === '#') return readHeader(text, memory)
  const values = text.split(' ', MOST_COLUMNS + 1)
  work.steps += text.length
  const names = namesOf(values, memory)
  if (!names) return undefined
  const found: Record<string, string> = {}
  names.forEach((name, index) => {
    const value = values[index] ?? '-'
    if (value !== '-') found[OURS[name] ?? name] = value
  })
  const at = momentOf(`${found.date} ${found.time}`, receivedAt)
  if (!at && !found['sc-status']) return undefined
  const query = found['cs-uri-query']
  const agent = found['cs-user-agent']?.replaceAll('+', ' ')
  const uri = found['cs-uri-stem'] && found['cs-uri-stem'] + (query ? `?${query}` : '')
  const status = numberIn(found['sc-status'])
  return {
    source: 'iis',
    at,
    machine: found['s-computername'],
    host: found['s-computername'],
    severity: status !== undefined && status >= 500 ? 'medium' : undefined,
    user: textOf(found['cs-username']),
    event_code: found['sc-status'],
    src_ip: addressOf(found['c-ip']),
    dst_ip: addressOf(found['s-ip']),
    fields: {
      ...found,
      ...keptFields({
        'c-uri': uri,
        'cs-user-agent': agent,
        'sc-status': status,
        'url.original': uri,
        'url.domain': found['cs-host'],
        'http.request.method': found['cs-method'],
        'http.response.status_code': status,
        'user_agent.original': agent,
        'destination.port': numberIn(found['s-port']),
      }),
    },
  }
}

/** `#Fields: date time …` is remembered for the lines after it; the other lines of a header say little. */
function readHeader(text: string, memory: Memory | undefined) {
  if (text.startsWith(HEADER)) {
    const names = text.slice(HEADER.length).trim().split(' ', MOST_COLUMNS)
    memory?.set(REMEMBERED, names)
  }
  return { source: 'iis', fields: {} }
}

function namesOf(values: string[], memory: Memory | undefined): string[] | undefined {
  const [date = '', time = ''] = values
  const said = memory?.get(REMEMBERED) as string[] | undefined
  if (said?.length === values.length) return said
  if (!/^\d{4}-\d\d-\d\d$/.test(date) || !/^\d\d:\d\d:\d\d$/.test(time)) return undefined
  const usual = USUAL.find((names) => names.length === values.length)
  const method = usual && values[usual.indexOf('cs-method')]
  return method && /^[A-Z]{3,16}$/.test(method) ? usual : undefined
}

export const iisW3c: TextFormat = {
  id: 'web.iis',
  title: 'IIS, W3C extended format, with and without #Fields',
  group: 'web',
  kind: 'text',
  remembers: true,
  ecs: 'web',
  ocsf: { class: 'http_activity', activity: 'other' },
  overrules: true,
  when: { starts: ['20', '#Fields: ', '#Software: Microsoft'] },
  read,
  samples: [
    {
      event:
        '2026-03-03 10:00:00 198.51.100.2 GET /default.aspx id=1 443 CORP\\eve 192.0.2.7 Mozilla/5.0+(Windows+NT+10.0) https://www.example.test/ 500 0 0 31',
      expect: {
        at: '2026-03-03T10:00:00.000Z',
        severity: 'medium',
        user: 'CORP\\eve',
        event_code: '500',
        src_ip: '192.0.2.7',
        dst_ip: '198.51.100.2',
        fields: {
          'cs-uri-stem': '/default.aspx',
          'c-uri': '/default.aspx?id=1',
          'user_agent.original': 'Mozilla/5.0 (Windows NT 10.0)',
          'http.request.method': 'GET',
          'destination.port': 443,
        },
      },
    },
    {
      event: '2026-03-03 10:00:00 198.51.100.2 POST /a - 80 - 192.0.2.7 curl/8.0 404 0 2 15',
      expect: { user: null, event_code: '404', fields: { 'cs-user-agent': 'curl/8.0' } },
    },
  ],
}
