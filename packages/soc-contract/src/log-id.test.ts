import assert from 'node:assert/strict'
import { test } from 'node:test'
import { LookingAt } from './chat.ts'
import { ProposalCreate } from './proposals.ts'

const raising = (log_id: string) => ({
  title: 't',
  action: {
    ...{ kind: 'raise_alert', title: 't', severity: 'low', description: '', host: null },
    ...{ rule_id: null, log_id, mitre_techniques: [] },
  },
  cites: { log_ids: [log_id] },
})

test('an id as long as ingest takes it can be asked about and proposed on', () => {
  const isTaken = (id: string) => [
    LookingAt.safeParse({ log_id: id }).success,
    ProposalCreate.safeParse(raising(id)).success,
  ]
  assert.deepEqual(isTaken('x'.repeat(512)), [true, true])
  assert.deepEqual(isTaken('x'.repeat(513)), [false, false])
})
