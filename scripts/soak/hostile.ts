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

/** `kind` is the way in, or the import and what is wrong with its file. */
export type Hostile = {
  kind: string
  url: string
  type: string
  body: Buffer | string
  encoding?: string
}

const WAYS_IN: [kind: string, url: string, wrap: (line: string) => string, type: string][] = [
  ['lines', '/api/v1/siem/logs', (line) => line.replaceAll('\n', ' '), 'text/plain'],
  [
    'events',
    '/api/v1/siem/logs',
    (line) => JSON.stringify([{ message: line }]),
    'application/json',
  ],
  [
    'HEC event',
    '/services/collector/event',
    (line) => JSON.stringify({ event: line }),
    'application/json',
  ],
  ['HEC raw', '/services/collector/raw', (line) => line, 'text/plain'],
  [
    'bulk',
    '/_bulk',
    (line) => `{"create":{}}\n${JSON.stringify({ message: line })}\n`,
    'application/x-ndjson',
  ],
  [
    'OTLP',
    '/v1/logs',
    (line) =>
      JSON.stringify({
        resourceLogs: [{ scopeLogs: [{ logRecords: [{ body: { stringValue: line } }] }] }],
      }),
    'application/json',
  ],
]

/** Every line for every way in, and bodies that unpack to more than anybody can want. */
export function hostileBodies(): Hostile[] {
  const plain = [...hostileLines()].flatMap((line) =>
    WAYS_IN.map(([kind, url, wrap, type]) => ({ kind, url, type, body: wrap(line) })),
  )
  const bombs = {
    'many empty events': gzipSync('{}\n'.repeat(15_000_000)),
    'half a gigabyte of blanks': gzipSync(Buffer.alloc(500_000_000, 0x20)),
  }
  const packed = Object.entries(bombs).flatMap(([name, body]) =>
    ['/api/v1/siem/logs', '/_bulk', '/v1/logs'].map((url) => ({
      ...{ kind: `${name}, packed, to ${url}`, url, body },
      ...{ type: 'application/x-ndjson', encoding: 'gzip' },
    })),
  )
  return [...plain, ...packed]
}

export const hostileImports = (): Hostile[] =>
  [...hostileLines()].flatMap((line) => [...rules(line), ...lists(line)])

function* rules(line: string): Iterable<Hostile> {
  const rule = (detection: string) =>
    `title: t\nlogsource: {product: windows}\ndetection:\n  sel: ${detection}\n`
  const files = {
    'many parentheses': `${rule('{a: b}')}  condition: ${'('.repeat(20_000)}sel${')'.repeat(20_000)}\n`,
    'a long pattern': rule(`{a|re: ${JSON.stringify(line)}}`),
    'many brackets': rule('['.repeat(5_000)),
    'no rule': `a: ${line}`,
  }
  const url = '/api/v1/detections/rules/import'
  for (const [what, content] of Object.entries(files)) {
    const body = JSON.stringify({ files: [{ name: 'a.yml', content }] })
    yield { kind: `rules in JSON, ${what}`, url, type: 'application/json', body }
    yield { kind: `rules in YAML, ${what}`, url, type: 'application/yaml', body: content }
  }
}

function* lists(line: string): Iterable<Hostile> {
  for (const type of ['text/csv', 'application/json', 'text/plain']) {
    yield { kind: `indicators, ${type}`, url: '/api/v1/iocs/import', type, body: line }
    yield { kind: `firmware, ${type}`, url: '/api/v1/firmware/import', type, body: line }
  }
  const objects = [{ type: 'indicator', pattern: `[ipv4-addr:value = '1.1.1.1' ${line}` }]
  yield {
    ...{ kind: 'indicators, STIX', url: '/api/v1/iocs/import', type: 'application/json' },
    body: JSON.stringify({ type: 'bundle', objects }),
  }
}

/** Questions that were made to take long. */
export function* hostileQueries(): Iterable<string> {
  const seeds = ['(', 'NOT ', 'a OR ', 'a:*', '/[:', '/(a*)*', '*a', '?', '"', 'a:{1 TO ', 'é']
  for (const seed of seeds) {
    for (const times of [1, 50, 2_000]) yield seed.repeat(times).slice(0, 12_000)
  }
}
