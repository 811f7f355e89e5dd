import assert from 'node:assert/strict'
import { test } from 'node:test'
import { flatten, type JsonMap } from '../../fields.ts'
import { normalise } from '../../normalise.ts'
import { parseSuricata } from './suricata.ts'

const receivedAt = Date.UTC(2026, 0, 1)
const parse = (object: JsonMap) => parseSuricata(flatten(object).fields, { receivedAt, object })
const FLOW = {
  timestamp: '2025-01-02T03:04:05.123456+0100',
  flow_id: 1,
  src_ip: '10.0.0.5',
  dest_ip: '192.0.2.1',
}

const EXAMPLES: [event: JsonMap, found: object][] = [
  [
    {
      ...FLOW,
      event_type: 'alert',
      alert: { signature_id: 2024897, signature: 'ET SCAN', severity: 2 },
    },
    {
      at: Date.UTC(2025, 0, 2, 2, 4, 5, 123),
      severity: 'medium',
      event_code: '2024897',
      message: 'alert ET SCAN',
      src_ip: '10.0.0.5',
      dst_ip: '192.0.2.1',
    },
  ],
  [
    { ...FLOW, event_type: 'http', http: { hostname: 'evil.example', url: '/x' } },
    { event_code: 'http', message: 'http evil.example /x', severity: undefined },
  ],
]

for (const [event, found] of EXAMPLES) {
  test(JSON.stringify(event), () => assert.partialDeepStrictEqual(parse(event), found))
}

test('an event_type alone is not Suricata', () => {
  const arrival = { receivedAt: 0, way: 'api', newId: () => 'id' }
  assert.equal(normalise({ object: { event_type: 'x' } }, arrival).fields._parser, undefined)
})
