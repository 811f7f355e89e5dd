import { gzipSync } from 'node:zlib'

/** Lines that were made to take long, in the shapes that parsers look for. */
const SHAPES: [begin: string, again: string, end?: string][] = [
  ['<86>sshd[1]: pam_unix(sshd:auth): authentication failure;', 'a'],
  ['<86>sshd[1]: pam_unix(sshd:auth): authentication failure;', ' a=b'],
  ['<86>sshd[1]: Failed password for ', ' from '],
  ['1.2.3.4 - - ', '[10/Oct/2000:13:55:36 -0700] "GET / HTTP/1.0" 200 1 ', '\n'],
  ['CEF:0|v|p|1|c|n|5|', ' a='],
  ['LEEF:2.0|v|p|1|e|a|', 'a'],
  ['<13>1 - - - - - [a', ' b="c"'],
  ['', ' a="\\"'],
  ['', 'http://a.b/..........'],
  ['{"a":', '[', ']}'],
  ['', '{"a":'],
  ['', '\0\ud800é'],
]

const LENGTHS = [100, 8_000, 60_000, 900_000]

export function* hostileLines(): Iterable<string> {
  for (const length of LENGTHS) {
    for (const [begin, again, end = ''] of SHAPES) {
      yield begin + again.repeat(Math.ceil(length / again.length)) + end
    }
  }
}

export type Hostile = { url: string; type?: string; body: Buffer | string; encoding?: string }

const INGEST: [url: string, wrap: (line: string) => string, type: string][] = [
  ['/api/v1/siem/logs', (line) => line.replaceAll('\n', ' '), 'text/plain'],
  ['/api/v1/siem/logs', (line) => JSON.stringify([{ message: line }]), 'application/json'],
  ['/services/collector/event', (line) => JSON.stringify({ event: line }), 'application/json'],
  ['/services/collector/raw', (line) => line, 'text/plain'],
  [
    '/_bulk',
    (line) => `{"create":{}}\n${JSON.stringify({ message: line })}\n`,
    'application/x-ndjson',
  ],
  [
    '/v1/logs',
    (line) =>
      JSON.stringify({
        resourceLogs: [{ scopeLogs: [{ logRecords: [{ body: { stringValue: line } }] }] }],
      }),
    'application/json',
  ],
]

/** Bodies for every way in, and for every import. */
export function* hostileBodies(): Iterable<Hostile> {
  for (const line of hostileLines()) {
    for (const [url, wrap, type] of INGEST) yield { url, type, body: wrap(line) }
    yield* imports(line)
  }
  const bomb = gzipSync('{}\n'.repeat(15_000_000))
  const huge = gzipSync(Buffer.alloc(500_000_000, 0x20))
  for (const body of [bomb, huge]) {
    const packed = { type: 'application/x-ndjson', body, encoding: 'gzip' }
    for (const url of ['/api/v1/siem/logs', '/_bulk', '/v1/logs']) yield { url, ...packed }
  }
}

function* imports(line: string): Iterable<Hostile> {
  const rule = (detection: string) =>
    `title: t\nlogsource: {product: windows}\ndetection:\n  sel: ${detection}\n`
  const files = [
    `${rule('{a: b}')}  condition: ${'('.repeat(20_000)}sel${')'.repeat(20_000)}\n`,
    rule(`{a|re: ${JSON.stringify(line)}}`),
    rule('['.repeat(5_000)),
    `a: ${line}`,
  ]
  for (const content of files) {
    yield {
      url: '/api/v1/detections/rules/import',
      type: 'application/json',
      body: JSON.stringify({ files: [{ name: 'a.yml', content }] }),
    }
    yield { url: '/api/v1/detections/rules/import', type: 'application/yaml', body: content }
  }
  for (const type of ['text/csv', 'application/json', 'text/plain']) {
    yield { url: '/api/v1/iocs/import', type, body: line }
    yield { url: '/api/v1/firmware/import', type, body: line }
  }
  yield {
    url: '/api/v1/iocs/import',
    type: 'application/json',
    body: JSON.stringify({
      type: 'bundle',
      objects: [{ type: 'indicator', pattern: `[ipv4-addr:value = '1.1.1.1' ${line}` }],
    }),
  }
}

/** Questions that were made to take long. */
export function* hostileQueries(): Iterable<string> {
  const seeds = ['(', 'NOT ', 'a OR ', 'a:*', '/[:', '/(a*)*', '*a', '?', '"', 'a:{1 TO ', 'é']
  for (const seed of seeds) {
    for (const times of [1, 50, 2_000]) yield seed.repeat(times).slice(0, 12_000)
  }
}
