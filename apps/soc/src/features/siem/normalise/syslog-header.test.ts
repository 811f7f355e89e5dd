import assert from 'node:assert/strict'
import { test } from 'node:test'
import { parseSyslog } from './syslog-header.ts'

const receivedAt = Date.UTC(2026, 0, 5, 12)
const parse = (line: string) => parseSyslog(line, { receivedAt })
/** As written there, in the time zone of this machine. */
const local = (...parts: [number, number, number, number, number, number]) =>
  new Date(...parts).getTime()

test('RFC 5424 with structured data, escapes and a byte order mark', () => {
  const line =
    '<165>1 2025-10-11T22:14:15.003Z mymachine.example.test evntslog 77 ID47 [ex@32473 iut="3" src="A \\"quoted\\" \\] \\\\ one"][other@1 a="b"] \ufeffAn application event'
  assert.deepEqual(parse(line), {
    source: 'syslog',
    at: Date.UTC(2025, 9, 11, 22, 14, 15, 3),
    host: 'mymachine.example.test',
    machine: 'mymachine.example.test',
    process: 'evntslog',
    event_code: 'ID47',
    severity: 'low',
    message: 'An application event',
    fields: {
      'syslog.facility': 'local4',
      'syslog.severity': 'notice',
      'syslog.procid': '77',
      'syslog.msgid': 'ID47',
      'ex@32473.iut': '3',
      'ex@32473.src': 'A "quoted" ] \\ one',
      'other@1.a': 'b',
    },
  })
})

const EXAMPLES: [line: string, found: object][] = [
  ['<34>1 - - - - - -', { message: '', severity: 'critical' }],
  [
    '<34>1 - host app - - - hello - there',
    { host: 'host', process: 'app', message: 'hello - there' },
  ],
  [
    '<34>1 yesterday host - - - - x',
    { at: undefined, fields: { 'syslog.timestamp': 'yesterday' } },
  ],
  ['<13>1 - h a - - [broken x', { message: '[broken x' }],
  [
    "<34>Dec 31 22:14:15 mymachine su[123]: 'su root' failed",
    {
      at: local(2025, 11, 31, 22, 14, 15),
      host: 'mymachine',
      process: 'su',
      message: "'su root' failed",
      fields: { 'syslog.procid': '123', 'syslog.facility': 'auth' },
    },
  ],
  [
    '<30>Jan  5 01:02:03 fw kernel: IN=eth0',
    { at: local(2026, 0, 5, 1, 2, 3), process: 'kernel', message: 'IN=eth0' },
  ],
  [
    '<13>2025-12-31T23:59:59.123456+01:00 web1 app: text',
    { at: Date.UTC(2025, 11, 31, 22, 59, 59, 123), host: 'web1', process: 'app' },
  ],
  ['<13>Jan  5 01:02:03 app: no host', { process: 'app', message: 'no host' }],
  [
    '<30>Feb 30 01:02:03 fw app: no such day',
    { at: undefined, fields: { 'syslog.timestamp': 'Feb 30 01:02:03' } },
  ],
  [
    '<143>Dec 19 18:05:00 2025 aruba1 authmgr[1]: the year after the clock',
    {
      at: Date.UTC(2025, 11, 19, 18, 5),
      ...{ host: 'aruba1', machine: 'aruba1', process: 'authmgr' },
      message: 'the year after the clock',
    },
  ],
  [
    '<13>Jan  5 01:02:03.5 2026 ap1 app: x',
    { at: Date.UTC(2026, 0, 5, 1, 2, 3, 500), host: 'ap1' },
  ],
  [
    '<13>Jan  5 01:02:03 Message forwarded from aix1: sshd[1]: passed on by AIX',
    {
      at: local(2026, 0, 5, 1, 2, 3),
      ...{ host: 'aix1', machine: 'aix1', process: 'sshd', message: 'passed on by AIX' },
    },
  ],
  ['<13>Jan  5 01:02:03 Message app: x', { host: 'Message', process: 'app' }],
  ['<13>only text', { message: 'only text', severity: 'low' }],
  [
    'Jan  5 01:02:03 web1 sshd[9]: from a file',
    { host: 'web1', process: 'sshd', message: 'from a file' },
  ],
]

for (const [line, found] of EXAMPLES) {
  test(line, () => assert.partialDeepStrictEqual(parse(line), found))
}

for (const line of ['just words', '<999>Jan  5 01:02:03 h a: x', '<>x', '']) {
  test(`no syslog: ${line}`, () => assert.equal(parse(line), undefined))
}

test('of a thousand parameters of structured data the rest is in the message', () => {
  for (const nameOf of [(n: number) => `a${n}`, () => 'a']) {
    const pairs = Array.from({ length: 2_000 }, (_, n) => ` ${nameOf(n)}="${n}"`).join('')
    const data = `[x${pairs}] the message`
    const { fields = {}, message } = parse(`<13>1 2026-01-05T01:02:03Z h a - - ${data}`) ?? {}
    assert.equal(message, data)
    assert.ok(Object.values(fields).flat().length < 1_010)
  }
})

test('what container runtimes and Cisco devices write before a line is no host and no program', () => {
  const read = (line: string) => parseSyslog(line, { receivedAt: Date.UTC(2026, 5, 1) })
  const container = read('2026-03-03T10:00:00.123456789Z stdout F it works: yes')
  assert.partialDeepStrictEqual(container, {
    at: Date.UTC(2026, 2, 3, 10, 0, 0, 123),
    message: 'it works: yes',
    fields: { 'log.iostream': 'stdout' },
  })
  assert.equal(container?.host, undefined)
  const cisco = read('Mar  3 2026 10:00:00 edge1: %ASA-6-302010: 12 in use')
  assert.partialDeepStrictEqual(cisco, { machine: 'edge1', message: '%ASA-6-302010: 12 in use' })
  assert.equal(cisco?.process, undefined)
  assert.equal(read('2026-03-03T10:00:00.1Z 12 [Note] ready'), undefined)
})

test('a level where syslog has the machine is no machine', () => {
  const parsed = parseSyslog('2026-01-02T03:04:05Z ERROR worker: it broke', { receivedAt: 0 })
  assert.partialDeepStrictEqual(parsed, {
    ...{
      severity: 'high',
      process: 'worker',
      message: 'it broke',
      fields: { 'log.level': 'ERROR' },
    },
  })
  assert.equal(parsed?.host, undefined)
})
