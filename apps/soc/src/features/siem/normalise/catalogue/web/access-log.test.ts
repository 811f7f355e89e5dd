import assert from 'node:assert/strict'
import { test } from 'node:test'
import { parseAccessLog } from './access-log.ts'

const receivedAt = Date.UTC(2026, 0, 1)
const parse = (line: string) => parseAccessLog(line, { receivedAt })

test('the combined format of Apache and nginx', () => {
  const line =
    '203.0.113.9 - alice [17/May/2015:10:05:03 +0200] "GET /a/b.php?q=1&r=%27?x HTTP/1.1" 200 203023 "http://example.test/\\"x" "Mozilla/5.0 (X11)"'
  assert.deepEqual(parse(line), {
    source: 'web',
    at: Date.UTC(2015, 4, 17, 8, 5, 3),
    severity: undefined,
    user: 'alice',
    event_code: '200',
    src_ip: '203.0.113.9',
    fields: {
      'c-ip': '203.0.113.9',
      'cs-method': 'GET',
      'c-uri': '/a/b.php?q=1&r=%27?x',
      'cs-uri-stem': '/a/b.php',
      'cs-uri-query': 'q=1&r=%27?x',
      'cs-version': 'HTTP/1.1',
      'sc-status': 200,
      'sc-bytes': 203023,
      'cs-referer': 'http://example.test/\\"x',
      'cs-user-agent': 'Mozilla/5.0 (X11)',
      'cs-username': 'alice',
      'url.original': '/a/b.php?q=1&r=%27?x',
      'http.request.method': 'GET',
      'http.response.status_code': 200,
      'user_agent.original': 'Mozilla/5.0 (X11)',
    },
  })
})

const EXAMPLES: [line: string, found: object][] = [
  [
    '192.0.2.1 - - [10/Oct/2000:13:55:36 -0700] "GET /apache_pb.gif HTTP/1.0" 304 -',
    { event_code: '304', fields: { 'sc-status': 304, 'cs-uri-stem': '/apache_pb.gif' } },
  ],
  [
    'www.example.test:443 2001:db8::7 - - [10/Oct/2020:13:55:36 +0000] "POST / HTTP/2.0" 500 12 "-" "-"',
    { src_ip: '2001:db8::7', severity: 'medium', fields: { 'cs-host': 'www.example.test:443' } },
  ],
  [
    '192.0.2.1 - - [10/Oct/2020:13:55:36 +0000] "\\x16\\x03\\x01" 400 226 "-" "-"',
    { event_code: '400', fields: { 'c-ip': '192.0.2.1' } },
  ],
  [
    '192.0.2.1 - - [10/Oct/2020:13:55:36 +0000] "GET / HTTP/1.1" 200 5 "-" "curl" "203.0.113.5" 0.012',
    { fields: { 'x-rest': '"203.0.113.5" 0.012' } },
  ],
]

for (const [line, found] of EXAMPLES) {
  test(line, () => assert.partialDeepStrictEqual(parse(line), found))
}

test('other lines are none', () => {
  assert.equal(parse('192.0.2.1 said [hello] "GET"'), undefined)
})
