import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type Scale, severityOf } from './severity.ts'

const EXAMPLES: [value: unknown, scale: Scale, severity: string | undefined][] = [
  ['CRITICAL', 'unknown', 'critical'],
  ['Emergency', 'unknown', 'critical'],
  ['err', 'unknown', 'high'],
  ['LOG_ERR', 'unknown', 'high'],
  ['ERROR2', 'unknown', 'high'],
  [' Warning ', 'unknown', 'medium'],
  ['notice', 'unknown', 'low'],
  ['Very-High', 'cef', 'critical'],
  ['DEBUG', 'unknown', 'info'],
  ['Audit Failure', 'unknown', 'medium'],
  [0, 'syslog', 'critical'],
  [3, 'syslog', 'high'],
  ['4', 'syslog', 'medium'],
  [7, 'syslog', 'info'],
  [1, 'windows', 'critical'],
  [2, 'windows', 'high'],
  ['3', 'windows', 'medium'],
  [0, 'windows', 'info'],
  [9, 'otel', 'info'],
  [13, 'otel', 'medium'],
  [17, 'otel', 'high'],
  [24, 'otel', 'critical'],
  [0, 'cef', 'info'],
  ['5', 'cef', 'medium'],
  [10, 'cef', 'critical'],
  [1, 'suricata', 'high'],
  [3, 'suricata', 'low'],
  [30, 'unknown', 'info'],
  [50, 'unknown', 'high'],
  [-1, 'unknown', undefined],
  ['banana', 'unknown', undefined],
  ['constructor', 'unknown', undefined],
  [null, 'unknown', undefined],
  [{}, 'unknown', undefined],
]

for (const [value, scale, severity] of EXAMPLES) {
  test(`${JSON.stringify(value)} of ${scale} is ${severity}`, () => {
    assert.equal(severityOf(value, scale), severity)
  })
}
