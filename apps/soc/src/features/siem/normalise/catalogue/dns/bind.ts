import type { Parsed, ParseText } from '../../parsed.ts'
import { endpointOf } from '../../scan/endpoint.ts'
import { counted, endFields } from '../../scan/traffic.ts'
import { firstWord, within, wordAfter } from '../../scan/words.ts'
import { severityOf } from '../../severity.ts'
import { momentOf } from '../../timestamps.ts'
import type { TextFormat } from '../log-format.ts'

// In a file: `03-Mar-2026 10:00:00.123 queries: info: client …`.
const HEAD =
  /^(\d\d-[A-Z][a-z]{2}-\d{4} \d\d:\d\d:\d\d(?:\.\d{1,6})?) (?:([\w-]{1,32}): )?(?:(info|notice|warning|error|critical|debug \d{1,2}): )?/
const CLIENT = /^client (?:@0x[0-9a-f]{1,16} )?([^\s#]{2,64}#\d{1,5})/

/** BIND's queries, refusals, transfers, updates and rewrites: all begin with the client. */
const read: ParseText = (text, { receivedAt }) => {
  const [head = '', time, category, level] = HEAD.exec(text) ?? []
  let body = text.slice(head.length)
  for (const name of ['queries: ', 'security: ', 'info: ']) {
    if (body.startsWith(name)) body = body.slice(name.length)
  }
  const [isClient, client] = CLIENT.exec(body) ?? []
  if (!isClient) return undefined
  const source = endpointOf(client)
  if (!source.ip) return undefined
  const found = foundIn(body)
  return {
    source: 'bind',
    at: momentOf(time, receivedAt),
    severity: severityOf(level?.split(' ', 1)[0]),
    event_code: found.type,
    src_ip: source.ip,
    dst_ip: found.server,
    fields: counted({
      ...endFields(source, {}),
      'dns.question.name': found.name,
      'dns.question.type': found.type,
      'dns.question.class': found.class,
      'event.action': found.action,
      'event.outcome': found.isDenied ? 'failure' : undefined,
      'bind.category': category,
      'bind.view': within(body, ': view ', ':'),
      'network.protocol': 'dns',
    }),
  } satisfies Parsed
}

type Found = {
  action: string
  name?: string | undefined
  type?: string | undefined
  class?: string | undefined
  server?: string | undefined
  isDenied?: boolean
}

function foundIn(body: string): Found {
  const query = body.indexOf(': query: ')
  if (query > 0) {
    const [name, kind, type] = body.slice(query + 9).split(' ', 3)
    const open = body.lastIndexOf('(')
    const server = endpointOf(body.endsWith(')') ? body.slice(open + 1, -1) : undefined).ip
    return { action: 'query', name: dotless(name), class: kind, type, server }
  }
  const isDenied = body.includes(' denied') || body.includes('rewrite')
  const [name, type, kind] = (within(body, "'", "'") ?? wordAfter(body, 'rewrite ') ?? '').split(
    '/',
    3,
  )
  const said = firstWord(body.slice(body.indexOf('): ') + 3)).replace(':', '')
  // A zone is named without a type: `'example.net/IN'`.
  const isZone = kind === undefined
  return {
    action: said,
    name: dotless(name),
    type: isZone ? undefined : type,
    class: isZone ? type : kind,
    isDenied,
  }
}

const dotless = (name: string | undefined) =>
  (name?.endsWith('.') ? name.slice(0, -1) : name) || undefined

export const bind: TextFormat = {
  id: 'dns.bind',
  title: 'BIND (named)',
  group: 'dns',
  kind: 'text',
  ecs: 'network',
  ocsf: { class: 'dns_activity', activity: { query: 'query' } },
  when: {
    programs: ['named'],
    marks: [
      ': query: ',
      "): query '",
      '): query (cache)',
      '): rpz ',
      "): transfer of '",
      "): updating zone '",
    ],
  },
  read,
  samples: [
    {
      event:
        '03-Mar-2026 10:00:00.123 queries: info: client @0x7f1c2c0a5c10 192.0.2.21#53211 (www.example.net): query: www.example.net IN AAAA +E(0)K (192.0.2.53)',
      expect: {
        at: '2026-03-03T10:00:00.123Z',
        source: 'bind',
        event_code: 'AAAA',
        src_ip: '192.0.2.21',
        dst_ip: '192.0.2.53',
        fields: {
          'source.port': 53211,
          'dns.question.name': 'www.example.net',
          'dns.question.type': 'AAAA',
          'event.action': 'query',
        },
      },
    },
    {
      event:
        "<29>Mar  3 10:00:00 ns1 named[4711]: client 203.0.113.9#41000 (corp.example.net): query (cache) 'corp.example.net/A/IN' denied",
      expect: {
        host: 'ns1',
        process: 'named',
        src_ip: '203.0.113.9',
        fields: { 'dns.question.name': 'corp.example.net', 'event.outcome': 'failure' },
      },
    },
    {
      event:
        "<29>Mar  3 10:00:00 ns1 named[4711]: client @0x7f1c 203.0.113.9#41000 (example.net): transfer of 'example.net/IN': AXFR started",
      expect: { fields: { 'dns.question.name': 'example.net', 'event.action': 'transfer' } },
    },
  ],
}
