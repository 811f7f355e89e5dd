import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { readSyslog } from '../ingest/syslog/read-syslog.ts'
import { HEADER } from './cisco-header.ts'
import { normalise } from './normalise.ts'
import { parseSyslog } from './syslog-header.ts'

const receivedAt = Date.UTC(2026, 10, 17, 12)
const TIME = 'Nov 17 10:00:00'
const AT = new Date(2026, 10, 17, 10).getTime()

const stored = (text: string) =>
  normalise(readSyslog({ text, peer: '192.0.2.250' }, receivedAt), {
    ...{ receivedAt, way: 'syslog', newId: () => 'id' },
  })

const TYPED: [header: string, message: string, process: string][] = [
  [
    `<38>${TIME} web9 sshd[4711]: `,
    'Failed password for invalid user %A-1-BB from 203.0.113.9 port 4022 ssh2',
    'sshd',
  ],
  [
    `<134>${TIME} web9 nginx: `,
    '203.0.113.9 - - [17/Nov/2026:10:00:00 +0000] "GET /etc/shadow?%A-1-BB HTTP/1.1" 200 5 "-" "curl"',
    'nginx',
  ],
  [
    `<85>${TIME} web9 sudo: `,
    'eve : TTY=pts/0 ; PWD=/ ; USER=root ; COMMAND=/usr/bin/rm -rf /var/log : %A-1-BB',
    'sudo',
  ],
  [`<38>${TIME} web9 sshd[4711]: `, '12: %A-1-BB', 'sshd'],
  [`<38>${TIME} web9 su: `, 'bob: %A-1-BB', 'su'],
  [`<38>${TIME} web9 sudo: `, '%A-1-BB : TTY=pts/0', 'sudo'],
]
for (const [header, message, process] of TYPED) {
  test(`a mnemonic that somebody typed takes nothing from the line: ${header}${message}`, () => {
    const parsed = parseSyslog(header + message, { receivedAt })
    assert.partialDeepStrictEqual(parsed, { at: AT, host: 'web9', process, message })
    assert.equal(stored(header + message).message, message)
  })
}

test('a failed login as a mnemonic is one of sshd', () => {
  const [[header, message] = []] = TYPED
  assert.partialDeepStrictEqual(stored(`${header}${message}`), {
    ...{ host: 'web9', process: 'sshd', user: '%A-1-BB', src_ip: '203.0.113.9' },
  })
})

const utc = (...parts: [number, number, number, number]) => Date.UTC(2026, ...parts)
const local = (...parts: [number, number, number, number]) => new Date(2026, ...parts).getTime()
const sequence = (number: number) => ({ 'event.sequence': number })

const HEADERS: [header: string, found: object][] = [
  ['', {}],
  [':', {}],
  ['45: ', { fields: sequence(45) }],
  ['*Mar  1 00:00:12: ', { at: local(2, 1, 0, 0) + 12_000 }],
  ['45: 00:00:46: ', { fields: { ...sequence(45), [HEADER]: '45: 00:00:46:' } }],
  ['1w2d: ', { fields: { [HEADER]: '1w2d:' } }],
  ['2026 Mar  3 10:00:00 nx1 ', { at: utc(2, 3, 10, 0), host: 'nx1' }],
  [': 2026 Mar  3 10:00:00 UTC: ', { at: utc(2, 3, 10, 0) }],
  ['Mar  3 10:00:00 leaf1 ', { at: local(2, 3, 10, 0), host: 'leaf1' }],
  ['edge1 : ', { host: 'edge1' }],
  ['2026-03-03T10:00:00+0100 edge1 : ', { at: utc(2, 3, 9, 0), host: 'edge1' }],
  ['2026-03-03T10:00:00Z ftd1 SFIMS : ', { host: 'ftd1', process: 'SFIMS' }],
  [
    'Mar  3 10:00:00 192.0.2.1 Mar  3 2026 09:00:00 edge1 : ',
    {
      ...{ at: utc(2, 3, 9, 0), host: '192.0.2.1' },
      fields: { [HEADER]: 'Mar  3 10:00:00 192.0.2.1 Mar  3 2026 09:00:00 edge1 :' },
    },
  ],
  [
    'Mar  3 10:00:01 2001:db8::1 585917: Mar  3 10:00:00: ',
    { at: local(2, 3, 10, 0), host: '2001:db8::1', fields: sequence(585_917) },
  ],
  [
    'wlc1: *spamApTask2: Mar 03 10:00:00: ',
    { at: local(2, 3, 10, 0), host: 'wlc1', process: 'spamApTask2' },
  ],
  ['Feb 30 10:00:00: ', { at: undefined, fields: { [HEADER]: 'Feb 30 10:00:00:' } }],
]
for (const [header, found] of HEADERS) {
  test(`before a message of Cisco's: "${header}"`, () => {
    const message = '%LINK-3-UPDOWN: Interface Gi0/1, changed state to up'
    const parsed = parseSyslog(`<189>${header}${message}`, { receivedAt })
    assert.partialDeepStrictEqual(parsed, { message, ...found })
  })
}

const wordsIn = (text: string) => text.split(/[^A-Za-z0-9]+/).filter((word) => word !== '')

const EARLIER = 'Nov 16 09:08:07'
const EARLIER_AT = new Date(2026, 10, 16, 9, 8, 7).getTime()
const WRITTEN: [at: number, time: string][] = [
  [AT, TIME],
  [EARLIER_AT, EARLIER],
  [EARLIER_AT - 3_600_000, `${EARLIER} CET`],
]

/** All that can be found of an event; a time that is kept as a moment counts as it was written. */
function found({ at, fields, ...columns }: ReturnType<typeof stored>): Set<string> {
  const values = [...Object.values(columns), ...Object.values(fields)].map(String)
  const times = WRITTEN.filter(
    ([moment]) => moment === at || values.includes(new Date(moment).toISOString()),
  )
  return new Set(wordsIn([...values, ...times.map(([, time]) => time)].join(' ')))
}

test('no word of a line with a mnemonic in it is lost', () => {
  const word = fc.oneof(
    fc.stringMatching(/^[A-Za-z][a-z0-9.-]{0,6}$/),
    fc.constantFrom('%A-1-BB', '%A-1-BB:', 'x%A-1-BB', '%SYS-5-CONFIG_I:', '%20', ':', '*', '-'),
    fc.constantFrom('12:', '0012:', '7', 'sshd[4711]:', 'su:', '*task:', 'RP/0/RP0/CPU0:', '<13>'),
    fc.constantFrom(TIME, `${TIME}:`, `${EARLIER} CET:`, '00:00:46:', '1w2d:', '2001:db8::1'),
  )
  const start = fc.constantFrom(
    '',
    `${TIME} web9 `,
    `${TIME} web9 sshd[4711]: `,
    `${TIME}: `,
    '9: ',
  )
  fc.assert(
    fc.property(start, fc.array(word, { maxLength: 6 }), word, (before, words, last) => {
      const line = `${before}${[...words, '%A-1-BB', last].join(' ')}`
      const there = found(stored(`<38>${line}`))
      const lost = wordsIn(line).filter((one) => !there.has(one))
      assert.deepEqual(lost, [], line)
    }),
    { numRuns: 3_000 },
  )
})
