import assert from 'node:assert/strict'
import { test } from 'node:test'
import { parseLeef } from './leef.ts'

const receivedAt = Date.UTC(2026, 0, 1)

const EXAMPLES: [line: string, found: object][] = [
  [
    'LEEF:1.0|Acme|VPN|4.0|login|src=192.0.2.10\tdst=172.50.123.1\tsev=5\tusrName=joe black',
    {
      event_code: 'login',
      severity: 'medium',
      src_ip: '192.0.2.10',
      dst_ip: '172.50.123.1',
      user: 'joe black',
      fields: { deviceProduct: 'VPN', sev: '5' },
    },
  ],
  [
    'LEEF:2.0|Acme|VPN|4.0|41|^|src=192.0.2.10^act=deny a=b^devTime=2025-01-02T03:04:05Z',
    { at: Date.UTC(2025, 0, 2, 3, 4, 5), fields: { act: 'deny a=b' } },
  ],
  ['LEEF:2.0|Acme|VPN|4.0|41|x7C|a=1|b=2', { fields: { a: '1', b: '2' } }],
]

for (const [line, found] of EXAMPLES) {
  test(line, () => assert.partialDeepStrictEqual(parseLeef(line, { receivedAt }), found))
}
