import { addressOf } from '../../addresses.ts'
import { type Parsed, type ParseObject, type ParseText, textOf } from '../../parsed.ts'
import { endpointOf } from '../../scan/endpoint.ts'
import { separated } from '../../scan/separated.ts'
import { counted, endFields, transportOf } from '../../scan/traffic.ts'
import { firstWord, within } from '../../scan/words.ts'
import { severityOf } from '../../severity.ts'
import { momentOf, momentOfSomeYear } from '../../timestamps.ts'
import type { ObjectFormat, TextFormat } from '../log-format.ts'

const TIME = /(?:^|\s)(\d\d)\/(\d\d)(?:\/(\d{2,4}))?-(\d\d:\d\d:\d\d(?:\.\d{1,9})?)(?=\s)/
const BEGIN =
  /(?:\d\d\/\d\d(?:\/\d{2,4})?-\d\d:\d\d:\d\d\S* *)?(?:\[\w+\] +)?(?:\[\*\*\] +)?(?:\[\w+\] +)?\[\d{1,10}:\d{1,10}:\d{1,10}\] /
const RULE = /\[(\d{1,10}):(\d{1,10}):(\d{1,10})\] /

/** Snort's fast and full alerts, those it sends by syslog, and Suricata's fast.log, which looks alike. */
const readLine: ParseText = (text, { receivedAt }) => {
  if (CSV.test(text)) return readCsv(text, receivedAt)
  const rule = RULE.exec(text)
  const isAlert =
    text.includes('[**]') || text.includes('[Priority: ') || text.includes('[Classification: ')
  if (!rule || !isAlert) return undefined
  const [matched, generator, id, revision] = rule
  const rest = text.slice(rule.index + matched.length)
  const name = endOfName(rest).replaceAll('"', '').trim()
  const priority = within(rest, '[Priority: ', ']')
  const arrow = text.indexOf(' -> ')
  const before = arrow < 0 ? '' : text.slice(Math.max(0, arrow - 64), arrow)
  const source = endpointOf(before.slice(before.lastIndexOf(' ') + 1) || undefined)
  const destination = endpointOf(
    arrow < 0 ? undefined : firstWord(text.slice(arrow + 4)).split('\n', 1)[0],
  )
  return {
    // Only Suricata writes all four digits of the year.
    source: /^\d\d\/\d\d\/\d{4}-/.test(text) ? 'suricata' : 'snort',
    at: timeOf(text, receivedAt),
    severity: severityOf(priority, 'suricata'),
    event_code: id,
    src_ip: source.ip,
    dst_ip: destination.ip,
    fields: counted({
      ...endFields(source, destination),
      'rule.name': name,
      'rule.id': id,
      'rule.version': revision,
      'snort.generator': generator,
      'rule.category': within(rest, '[Classification: ', ']'),
      'event.severity': priority && Number(priority),
      'network.transport': transportOf(within(rest, '{', '}') ?? protocolOf(text)),
      'event.action': text.includes('[Drop]') || text.includes('[drop]') ? 'drop' : 'alert',
    }),
  } satisfies Parsed
}

/** The name ends where the next tag begins. */
function endOfName(text: string): string {
  const end = text.search(/ ?\[(?:\*\*\]|Classification: |Priority: )/)
  return end < 0 ? text : text.slice(0, end)
}

/** A full alert has the protocol at the beginning of its last lines. */
const protocolOf = (text: string) => /\n(TCP|UDP|ICMP) TTL:/.exec(text)?.[1]

function timeOf(text: string, receivedAt: number): number | undefined {
  const [, month, day, year, time] = TIME.exec(text) ?? []
  if (!month) return undefined
  if (year)
    return momentOf(`${year.length === 2 ? `20${year}` : year}-${month}-${day} ${time}`, receivedAt)
  return momentOfSomeYear(`${month}-${day} ${time}`, receivedAt)
}

const CSV = /^\d\d\/\d\d(?:\/\d{2,4})?-\d\d:\d\d:\d\d\.\d{1,9} ?,\d/

/** `time,generator,id,revision,"name",TCP,source,port,destination,port,…`. */
function readCsv(text: string, receivedAt: number): Parsed | undefined {
  const values = separated(text)
  const [time, generator, id, revision, name, protocol, src, sport, dst, dport] = values
  const src_ip = addressOf(src)
  if (!src_ip) return undefined
  return {
    source: 'snort',
    at: timeOf(` ${time?.trim()} `, receivedAt),
    event_code: id,
    src_ip,
    dst_ip: addressOf(dst),
    fields: counted({
      'source.port': sport,
      'destination.port': dport,
      'rule.name': name,
      'rule.id': id,
      'rule.version': revision,
      'snort.generator': generator,
      'network.transport': transportOf(protocol),
      'event.action': 'alert',
    }),
  }
}

const readObject: ParseObject = (fields, { receivedAt }) => {
  const of = (name: string) => textOf(fields[name])
  const source = endpointOf(of('src_ap'))
  const destination = endpointOf(of('dst_ap'))
  const rule = of('rule')
  return {
    source: 'snort',
    at: momentOf(fields.seconds, receivedAt) ?? timeOf(` ${of('timestamp')} `, receivedAt),
    severity: severityOf(of('priority'), 'suricata'),
    message: of('msg'),
    event_code: rule?.split(':')[1] ?? of('sid'),
    src_ip: source.ip,
    dst_ip: destination.ip,
    fields: counted({
      ...endFields(source, destination),
      'rule.name': of('msg'),
      'rule.category': of('class'),
      'network.transport': transportOf(of('proto')),
      'event.action': of('action'),
    }),
  }
}

const ABOUT = {
  group: 'network',
  ecs: 'intrusion_detection',
  ocsf: { class: 'detection_finding', activity: 'create' },
} as const

export const snort: TextFormat = {
  ...ABOUT,
  id: 'network.snort',
  title: 'Snort alerts (fast, full, syslog) and Suricata fast.log',
  kind: 'text',
  overrules: true,
  when: {
    programs: ['snort'],
    marks: ['[**] [', '] [Priority: ', '[Classification: ', ',TCP,', ',UDP,', ',ICMP,'],
    begins: BEGIN,
  },
  read: readLine,
  samples: [
    {
      event:
        '03/03/2026-10:00:00.123456  [**] [1:2008578:6] ET SCAN Sipvicious Scan [**] [Classification: Attempted Information Leak] [Priority: 2] {UDP} 203.0.113.9:5060 -> 192.0.2.80:5061',
      expect: {
        at: '2026-03-03T10:00:00.123Z',
        source: 'suricata',
        severity: 'medium',
        event_code: '2008578',
        src_ip: '203.0.113.9',
        dst_ip: '192.0.2.80',
        fields: {
          'rule.name': 'ET SCAN Sipvicious Scan',
          'source.port': 5060,
          'destination.port': 5061,
          'network.transport': 'udp',
          'rule.category': 'Attempted Information Leak',
        },
      },
    },
    {
      event:
        '<33>Mar  3 10:00:00 ids1 snort[4711]: [1:1418:11] SNMP request tcp [Classification: Attempted Information Leak] [Priority: 1]: {TCP} 203.0.113.9:41000 -> 192.0.2.80:161',
      expect: {
        host: 'ids1',
        severity: 'high',
        src_ip: '203.0.113.9',
        fields: { 'rule.id': '1418' },
      },
    },
    {
      event:
        '[**] [1:1418:11] SNMP request tcp [**]\n[Classification: Attempted Information Leak] [Priority: 2] \n03/03-10:00:00.123456 203.0.113.9:41000 -> 192.0.2.80:161\nTCP TTL:64 TOS:0x0 ID:4711 IpLen:20 DgmLen:60',
      expect: {
        at: '2026-03-03T10:00:00.123Z',
        dst_ip: '192.0.2.80',
        fields: { 'network.transport': 'tcp', 'rule.name': 'SNMP request tcp' },
      },
    },
    {
      event:
        '03/03/26-10:00:00.123456 ,1,1418,11,"SNMP request tcp",TCP,203.0.113.9,41000,192.0.2.80,161,00:00:5E:00:53:01,00:00:5E:00:53:02,0x72,***AP***,0x688F0DFC,0xBC763516,,0x80C,127,0,55665,100,102400,,,,',
      expect: {
        at: '2026-03-03T10:00:00.123Z',
        event_code: '1418',
        src_ip: '203.0.113.9',
        dst_ip: '192.0.2.80',
        fields: { 'destination.port': 161, 'rule.name': 'SNMP request tcp' },
      },
    },
  ],
}

export const snortJson: ObjectFormat = {
  ...ABOUT,
  id: 'network.snort_json',
  title: 'Snort 3 alerts as JSON',
  kind: 'object',
  when: { names: [['src_ap', 'dst_ap']] },
  read: readObject,
  samples: [
    {
      event: {
        timestamp: '03/03-10:00:00.123456',
        pkt_num: 7,
        proto: 'TCP',
        pkt_gen: 'raw',
        src_ap: '203.0.113.9:41000',
        dst_ap: '192.0.2.80:161',
        rule: '1:1418:11',
        action: 'allow',
        msg: 'SNMP request tcp',
        priority: 2,
        class: 'Attempted Information Leak',
      },
      expect: {
        at: '2026-03-03T10:00:00.123Z',
        source: 'snort',
        severity: 'medium',
        event_code: '1418',
        src_ip: '203.0.113.9',
        fields: { 'destination.port': 161, 'rule.name': 'SNMP request tcp' },
      },
    },
  ],
}
