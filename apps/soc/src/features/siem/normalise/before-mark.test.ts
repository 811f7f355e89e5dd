import assert from 'node:assert/strict'
import { test } from 'node:test'
import { CATALOGUE } from './catalogue/catalogue.ts'
import { normalise } from './normalise.ts'
import { PARSER } from './parsed.ts'
import { parseSyslog } from './syslog-header.ts'

const receivedAt = Date.UTC(2026, 10, 17, 12)
const arrival = { receivedAt, way: 'api', newId: () => 'id' }
const read = (text: string) => normalise({ text }, arrival)

const AT = '2026-11-17T11:00:00Z'
const HEADER = `<13>${AT.replace('Z', '.000Z')} web1`
// What somebody can have logged: a name, a request, a reason.
const OUTER: [text: (typed: string) => string, process: string | null][] = [
  [(typed) => `${HEADER} shop[7]: login failed for ${typed} from 203.0.113.5`, 'shop'],
  [(typed) => `${HEADER} shop[7]: user "${typed}" is not known`, 'shop'],
  [(typed) => `${HEADER} shop[7]: login ${typed}`, 'shop'],
  [(typed) => `${HEADER} shop: no way in (${typed})`, 'shop'],
  [(typed) => `${HEADER} the shop knows no ${typed}`, null],
  [(typed) => `${HEADER} 203.0.113.5 - ${typed}`, null],
  [(typed) => `${HEADER} shop: 2026-11-17 11:00:00 User ${typed}`, 'shop'],
  [(typed) => `${HEADER} shop: 2026-11-17T11:00:00Z INFO User ${typed}`, 'shop'],
]
// Devices of Cisco may have a name of letters after that of their relay (`cisco-header.ts`).
const UNTAGGED: typeof OUTER = [[(typed) => `${HEADER} User ${typed} is not known`, null]]

for (const format of CATALOGUE) {
  if (format.kind !== 'text' || !format.overrules) continue
  test(`${format.id}: what somebody typed replaces neither time nor host nor user`, () => {
    for (const { event } of format.samples) {
      if (typeof event !== 'string') continue
      const bare = parseSyslog(event, { receivedAt })?.message ?? event
      for (const typed of [event, bare]) {
        const isCisco = format.id.startsWith('firewall.cisco')
        for (const [outer, process] of isCisco ? OUTER : [...OUTER, ...UNTAGGED]) {
          const log = read(outer(typed))
          assert.deepEqual([log.at, log.host], [Date.parse(AT), 'web1'], log.message)
          // Of the others the line's own beginning says what it is.
          if (!format.when.begins) continue
          if (process) assert.equal(log.process, process, log.message)
          assert.notEqual(log.fields[PARSER], format.id, log.message)
        }
      }
    }
  })
}

test('a line of a log file, an event with its own time: what somebody typed replaces nothing', () => {
  const typed = 'CEF:0|A|B|1|100|n|8|rt=1772532000000 dvchost=dc1 suser=root'
  for (const line of [
    `2026-11-17T11:00:00Z INFO User ${typed}`,
    `2026-11-17 11:00:00,000 INFO [main] User ${typed}`,
    `2026-11-17T11:00:00,000 [main] INFO User ${typed}`,
    `203.0.113.5 - - [17/Nov/2026:11:00:00 +0000] "GET /${typed} HTTP/1.1" 404 5 "-" "-"`,
  ]) {
    assert.notEqual(read(line).fields[PARSER], 'generic.cef', line)
  }
  const object = { '@timestamp': AT, host: { name: 'web1' }, message: `User ${typed} is not known` }
  const { at, host, user } = normalise({ object }, arrival)
  assert.deepEqual([at, host, user], [Date.parse(AT), 'web1', null])
})

const CEF = 'CEF:0|Acme|Wall|2.1|100|Refused|8|rt=1772532000000 suser=eve'
const AUDIT = 'type=USER_LOGIN msg=audit(1772532000.250:77): pid=901 acct="eve" res=failed'
const ASA = '%ASA-4-106023: Deny tcp src outside:192.0.2.7/4711 dst inside:198.51.100.2/22'
const XML =
  '<Event><System><Provider Name="P"/><EventID>1</EventID><TimeCreated SystemTime="2026-03-03T10:00:00Z"/><Channel>C</Channel><Computer>ws5</Computer></System></Event>'

const LEGITIMATE: [line: string, parser: string, host: string | null][] = [
  [CEF, 'generic.cef', null],
  [`fw1 ${CEF}`, 'generic.cef', null],
  [`<134>fw1 ${CEF}`, 'generic.cef', null],
  [`<134>Mar  3 10:00:00 fw1 ${CEF}`, 'generic.cef', 'fw1'],
  [`<134>Mar  3 10:00:00 10.1.2.3 fw1 ${CEF}`, 'generic.cef', '10.1.2.3'],
  [`<134>Mar  3 10:00:00 fw1 agent[7]: ${CEF}`, 'generic.cef', 'fw1'],
  [`<134>Mar  3 10:00:00 bigip ASM:${CEF}`, 'generic.cef', 'bigip'],
  [`<134>1 2026-03-03T10:00:00Z fw1 agent 7 - - ${CEF}`, 'generic.cef', 'fw1'],
  [`<13>Mar  3 10:00:00 relay Mar  3 10:00:00 fw1 ${CEF}`, 'generic.cef', 'relay'],
  [`<13>Mar  3 10:00:00 relay fwd: Mar  3 10:00:00 fw1 agent: ${CEF}`, 'generic.cef', 'relay'],
  [`2026-03-03 10:00:00,123 INFO [main] audit - ${CEF}`, 'generic.cef', null],
  [`2026-03-03T10:00:00,123 [main] INFO acme.Audit - ${CEF}`, 'generic.cef', null],
  [`2026-03-03T10:00:00Z INFO audit - ${CEF}`, 'generic.cef', null],
  [`<13>Mar  3 10:00:00 relay Mar  3 2026 10:00:00 CET firewall ${CEF}`, 'generic.cef', 'relay'],
  ['<13>Mar  3 10:00:00 gate1 LEEF:1.0|Acme|Gate|1.0|login|usrName=eve', 'generic.leef', 'gate1'],
  [AUDIT, 'linux.auditd', null],
  [`node=db1 ${AUDIT}`, 'linux.auditd', 'db1'],
  [`<13>Mar  3 10:00:00 web1 audispd: node=db1 ${AUDIT}`, 'linux.auditd', 'db1'],
  [`<13>Mar  3 10:00:00 web1 audispd: ${AUDIT}`, 'linux.auditd', 'web1'],
  [
    '<5>Mar  3 10:00:00 web1 kernel: [12345.678901] audit: type=1400 audit(1772532000.250:77): apparmor="DENIED"',
    ...(['linux.auditd', 'web1'] as const),
  ],
  [
    '<5>Mar  3 10:00:00 web1 kernel: audit(1772532000.250:77): avc: denied',
    ...(['linux.auditd', 'web1'] as const),
  ],
  [`<166>Mar  3 2026 10:00:00 fw1 : ${ASA}`, 'firewall.cisco_asa', 'fw1'],
  [`<166>Mar  3 10:00:00 fw1 ${ASA}`, 'firewall.cisco_asa', 'fw1'],
  [`<166>1 2026-03-03T10:00:00Z fw1 - - - - : ${ASA}`, 'firewall.cisco_asa', 'fw1'],
  [`<14>Mar  3 10:00:00 web1 sysmon: ${XML}`, 'windows.xml', 'ws5'],
  [`<?xml version="1.0"?>${XML}`, 'windows.xml', 'ws5'],
]

for (const [line, parser, host] of LEGITIMATE) {
  test(`${parser} is read after its header: ${line.slice(0, 80)}`, () => {
    const log = read(line)
    assert.deepEqual([log.fields[PARSER], log.host], [parser, host])
  })
}
