import assert from 'node:assert/strict'
import { test } from 'node:test'
import { lookingAt } from './looking-at.ts'

const ID = '0199a1b2-0000-7000-8000-000000000001'

for (const [path, search, at] of [
  ['/alerts', `?status=all&open=${ID}`, { alert_id: ID }],
  ['/alerts', '?open=nonsense', {}],
  ['/alerts', '?host=web-1', { host: 'web-1' }],
  [`/cases/${ID}`, '', { case_id: ID }],
  ['/cases/new', '', {}],
  ['/search', '?q=x&open=2026-11-15.17', { log_id: '2026-11-15.17' }],
  ['/', '', {}],
] as const) {
  test(`${path}${search}`, () => assert.deepEqual(lookingAt(path, search), at))
}
