import assert from 'node:assert/strict'
import { test } from 'node:test'
import { parseKeyValue } from './key-value.ts'

const receivedAt = Date.UTC(2026, 5, 1)
const parse = (line: string) => parseKeyValue(line, { receivedAt })

const EXAMPLES: [line: string, found: object][] = [
  [
    'date=2026-01-02 time=03:04:05 devname="FG 100" logid="0001" type="traffic" level="warning" srcip=10.1.1.1 dstip=8.8.8.8 user="jo \\"x\\"" msg=""',
    {
      at: Date.UTC(2026, 0, 2, 3, 4, 5),
      host: 'FG 100',
      severity: 'medium',
      user: 'jo "x"',
      src_ip: '10.1.1.1',
      dst_ip: '8.8.8.8',
      event_code: '0001',
      fields: { devname: 'FG 100', msg: '', type: 'traffic' },
    },
  ],
  [
    'type=SYSCALL msg=audit(1767323045.243:24287): arch=c000003e syscall=2 success=no exe="/usr/bin/cat" key=(null)',
    { at: 1_767_323_045_243, event_code: 'SYSCALL', process: '/usr/bin/cat' },
  ],
  [
    '[UFW BLOCK] IN=eth0 OUT= MAC=00:11 SRC=203.0.113.4 DST=192.0.2.1 LEN=40 PROTO=TCP SPT=1 DPT=22',
    { src_ip: '203.0.113.4', dst_ip: '192.0.2.1', fields: { OUT: '', DPT: '22' } },
  ],
  ['level=error msg="it broke" err=timeout', { severity: 'high', fields: { msg: 'it broke' } }],
]

for (const [line, found] of EXAMPLES) {
  test(line, () => assert.partialDeepStrictEqual(parse(line), found))
}

for (const line of ['a sentence with x=1 and y=2 in it', 'no pairs at all', 'a == b == c == d']) {
  test(`no pairs: ${line}`, () => assert.equal(parse(line), undefined))
}
