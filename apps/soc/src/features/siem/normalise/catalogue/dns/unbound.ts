import { addressOf } from '../../addresses.ts'
import type { ParseText } from '../../parsed.ts'
import { counted } from '../../scan/traffic.ts'
import { severityOf } from '../../severity.ts'
import { momentOf } from '../../timestamps.ts'
import type { TextFormat } from '../log-format.ts'

// In a file `[1772532000] unbound[4711:0] info: `, in syslog `[4711:0] info: `.
const HEAD =
  /^(?:\[(\d{9,11})\] )?(?:unbound)?\[(\d{1,10}):\w{1,4}\] (info|debug|notice|warning|error|query|reply): /

/** Unbound's queries and replies, and what its local zones and block lists refused. */
const read: ParseText = (text, { receivedAt }) => {
  const [head, time, pid, level] = HEAD.exec(text) ?? []
  if (head === undefined) return undefined
  const words = text.slice(head.length).split(' ', 12)
  // `zone always_nxdomain client@port name type class`.
  const local = words.findIndex((word) => /^[0-9a-fA-F.:]{2,45}@\d{1,5}$/.test(word))
  const at = Math.max(local, 0)
  const [client = '', name = '', type, kind] = words.slice(at)
  const address = addressOf(client.split('@', 1)[0])
  if (!address || kind !== 'IN') return undefined
  return {
    source: 'unbound',
    at: momentOf(time, receivedAt),
    severity: severityOf(level),
    process: 'unbound',
    event_code: type,
    src_ip: address,
    fields: counted({
      'process.pid': pid,
      'source.port': client.split('@')[1],
      'dns.question.name': name.endsWith('.') ? name.slice(0, -1) : name,
      'dns.question.type': type,
      'dns.question.class': kind,
      'dns.response_code': at === 0 ? words[4] : undefined,
      'event.action': at > 0 ? words[at - 1] : words[4] ? 'reply' : 'query',
      'event.outcome':
        at > 0 && /^always_|refuse|deny|redirect/.test(words[at - 1] ?? '') ? 'failure' : undefined,
      'network.protocol': 'dns',
    }),
  }
}

export const unbound: TextFormat = {
  id: 'dns.unbound',
  title: 'Unbound',
  group: 'dns',
  kind: 'text',
  ecs: 'network',
  ocsf: { class: 'dns_activity', activity: { query: 'query', reply: 'response' } },
  when: { programs: ['unbound'], marks: [' unbound['] },
  read,
  samples: [
    {
      event:
        '<30>Mar  3 10:00:00 ns2 unbound[4711]: [4711:0] info: 192.0.2.21 www.example.net. A IN NOERROR 0.000031 0 92',
      expect: {
        source: 'unbound',
        host: 'ns2',
        event_code: 'A',
        src_ip: '192.0.2.21',
        fields: {
          'dns.question.name': 'www.example.net',
          'dns.response_code': 'NOERROR',
          'event.action': 'reply',
        },
      },
    },
    {
      event:
        '[1772532000] unbound[4711:0] info: bad.example.net. always_nxdomain 192.0.2.21@41000 bad.example.net. A IN',
      expect: {
        at: '2026-03-03T10:00:00.000Z',
        src_ip: '192.0.2.21',
        fields: { 'source.port': 41000, 'event.outcome': 'failure' },
      },
    },
  ],
}
