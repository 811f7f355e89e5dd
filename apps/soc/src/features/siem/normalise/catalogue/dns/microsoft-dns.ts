import { addressOf } from '../../addresses.ts'
import type { ParseText } from '../../parsed.ts'
import { counted } from '../../scan/traffic.ts'
import { momentOf } from '../../timestamps.ts'
import type { TextFormat } from '../log-format.ts'

/** The debug log of Microsoft's DNS server: `date time thread PACKET id UDP Rcv address xid Q [flags] type (3)www…`. */
const read: ParseText = (text, { receivedAt }) => {
  const packet = text.indexOf(' PACKET ')
  if (packet < 0 || packet > 60) return undefined
  const before = text.slice(0, packet).split(' ')
  const thread = before.pop()
  const words = text.slice(packet + 8).split(/ +/, 12)
  if (words[0] === '') words.shift()
  const [, transport = '', way, address, xid, kind] = words
  const isReply = kind === 'R'
  const open = text.indexOf('[', packet)
  const close = text.indexOf(']', open)
  const [type, name] =
    close > 0
      ? text
          .slice(close + 1)
          .trim()
          .split(/ +/, 2)
      : []
  if (!/^(?:UDP|TCP)$/.test(transport) || !/^(?:Rcv|Snd)$/.test(way ?? '')) return undefined
  const code = text
    .slice(open + 1, close)
    .trim()
    .split(' ')
    .pop()
  const ip = addressOf(address)
  return {
    source: 'microsoft_dns',
    at: momentOf(dateOf(before.join(' ')), receivedAt),
    event_code: type,
    src_ip: way === 'Rcv' ? ip : undefined,
    dst_ip: way === 'Snd' ? ip : undefined,
    fields: counted({
      'dns.question.name': decoded(name),
      'dns.question.type': type,
      'dns.response_code': code,
      'dns.id': xid,
      'network.transport': transport.toLowerCase(),
      'network.protocol': 'dns',
      'network.direction': way === 'Rcv' ? 'inbound' : 'outbound',
      'event.action': isReply ? 'response' : 'query',
      'process.thread.id': thread,
    }),
  }
}

/** As the machine's region writes dates: `3/3/2026`, `03.03.2026`, `20260303`, `2026-03-03`. */
function dateOf(text: string): string {
  const [, day, month, year, rest] = /^(\d{1,2})\.(\d{1,2})\.(\d{4}) (.{4,20})$/.exec(text) ?? []
  return day ? `${year}-${month}-${day} ${rest}` : text
}

/** `(3)www(7)example(3)net(0)` is `www.example.net`. */
function decoded(name: string | undefined): string | undefined {
  if (!name?.startsWith('(')) return name
  return name
    .split(/\(\d{1,3}\)/, 130)
    .filter(Boolean)
    .join('.')
}

export const microsoftDns: TextFormat = {
  id: 'dns.microsoft_dns',
  title: 'Microsoft DNS server (debug log)',
  group: 'dns',
  kind: 'text',
  ecs: 'network',
  ocsf: { class: 'dns_activity', activity: { query: 'query', response: 'response' } },
  when: { marks: [' PACKET  '] },
  read,
  samples: [
    {
      event:
        '3/3/2026 10:00:00 AM 0E6C PACKET  000000F2B3C6A7E0 UDP Rcv 192.0.2.21      a7f2   Q [0001   D   NOERROR] A      (3)www(7)example(3)net(0)',
      expect: {
        at: '2026-03-03T10:00:00.000Z',
        source: 'microsoft_dns',
        event_code: 'A',
        src_ip: '192.0.2.21',
        fields: {
          'dns.question.name': 'www.example.net',
          'dns.question.type': 'A',
          'event.action': 'query',
          'network.transport': 'udp',
        },
      },
    },
    {
      event:
        '03.03.2026 10:00:00 0E6C PACKET  000000F2B3C6A7E0 UDP Snd 192.0.2.21      a7f2 R Q [8385 A DR NXDOMAIN] AAAA   (3)bad(7)example(3)net(0)',
      expect: {
        at: '2026-03-03T10:00:00.000Z',
        dst_ip: '192.0.2.21',
        fields: { 'dns.response_code': 'NXDOMAIN', 'event.action': 'response' },
      },
    },
  ],
}
