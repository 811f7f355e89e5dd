import assert from 'node:assert/strict'
import { test } from 'node:test'
import { flatten, type JsonMap } from '../../fields.ts'
import { parseZeek } from './zeek.ts'

const receivedAt = Date.UTC(2026, 0, 1)
const parse = (object: JsonMap) => parseZeek(flatten(object).fields, { receivedAt, object })
const ENDS = { 'id.orig_h': '10.0.0.5', 'id.orig_p': 1, 'id.resp_h': '192.0.2.1', 'id.resp_p': 53 }

const EXAMPLES: [event: JsonMap, found: object][] = [
  [
    { _path: 'dns', ts: 1735787045.5, uid: 'C1', ...ENDS, query: 'evil.example' },
    {
      at: 1_735_787_045_500,
      src_ip: '10.0.0.5',
      dst_ip: '192.0.2.1',
      event_code: 'dns',
      message: 'dns evil.example',
    },
  ],
  [
    { ts: '2025-01-02T03:04:05.000000Z', id: { orig_h: '10.0.0.5', resp_h: '2001:db8::1' } },
    { at: Date.UTC(2025, 0, 2, 3, 4, 5), dst_ip: '2001:db8::1' },
  ],
  [
    { ts: 1735787045, uid: 'C1', ...ENDS, func: 'WRITE_SINGLE_COIL' },
    { event_code: 'modbus', fields: { _path: 'modbus' } },
  ],
  [
    { ts: 1735787045, uid: 'C1', ...ENDS, proto: 'tcp', conn_state: 'S0' },
    { event_code: 'conn', fields: { _path: 'conn' } },
  ],
  [
    { _path: 'notice', ts: 1735787045, note: 'Scan::Port_Scan', msg: 'scanned 15 ports' },
    {
      severity: 'low',
      event_code: 'Scan::Port_Scan',
      message: 'notice scanned 15 ports Scan::Port_Scan',
    },
  ],
]

for (const [event, found] of EXAMPLES) {
  test(JSON.stringify(event), () => assert.partialDeepStrictEqual(parse(event), found))
}

test('a ts alone is not Zeek', () => assert.equal(parse({ ts: 1, msg: 'x' }), undefined))
