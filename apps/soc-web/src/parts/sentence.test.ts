import assert from 'node:assert/strict'
import { test } from 'node:test'
import { piecesOf } from './sentence.ts'

const ID = '0199a7c2-5b1e-7d3a-8f60-2f9c1e4b7a55'

for (const [text, pieces] of [
  ['status open → investigating', ['status open → investigating']],
  [`alert ${ID} linked`, ['alert ', { kind: 'alert', id: ID }, ' linked']],
  [`playbook:${ID}`, ['playbook ', { kind: 'playbook', id: ID }]],
  ['playbook:triage-alert', ['playbook ', { kind: 'playbook', id: 'triage-alert' }]],
  ['asked for by agent:ApprovalGate', ['asked for by agent ApprovalGate']],
  [
    `alert ${ID} moved to case ${ID}`,
    ['alert ', { kind: 'alert', id: ID }, ' moved to case ', { kind: 'case', id: ID }],
  ],
  [
    'open again, after it was closed by leila at 2026-11-15T08:18:00.000Z',
    ['open again, after it was closed by leila at ', { at: '2026-11-15T08:18:00.000Z' }],
  ],
  [`file ${ID.slice(0, 30)}`, [`file ${ID.slice(0, 30)}`]],
] as const) {
  test(`what is named in: ${text}`, () => assert.deepEqual(piecesOf(text), pieces))
}
