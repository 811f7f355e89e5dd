import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { ActionOutcome, EdrClient } from '../../ports/edr-client.ts'
import { openChanges } from '../../testing/changes-of.ts'
import { testDatabase } from '../../testing/test-postgres.ts'
import { deliverActions } from './deliver-actions.ts'

const ENDPOINT = '01900000-0000-7000-8000-000000000001'
const ORDER = '01900000-0000-7000-8000-000000000002'

const answering = (act: EdrClient['act']): EdrClient => ({
  name: 'scripted',
  async *endpoints() {},
  act,
  outcome: async () => undefined,
})

test('a process that stood still says nothing over what another did with its order', async (t) => {
  const { database, internalWorkflow } = await openChanges(t, await testDatabase())
  const db = database.kysely
  await db
    .insertInto('edr_endpoints')
    .values({
      ...{ id: ENDPOINT, external_id: 'a-1', hostname: 'lap-1', status: 'online', ips: [] },
      ...{ first_seen_at: new Date(), last_seen_at: new Date() },
    })
    .execute()
  const order = { action_id: ORDER, endpoint_id: ENDPOINT, command: 'scan' } as const
  await db
    .insertInto('edr_actions')
    .values({
      ...order,
      status: 'queued',
      simulated: false,
      adapter: 'scripted',
      requested_by: 'admin',
    })
    .execute()
  const deliver = (act: EdrClient['act']) =>
    deliverActions({ db, internalWorkflow, client: answering(act) })

  const claimed = Promise.withResolvers<void>()
  const late = Promise.withResolvers<ActionOutcome>()
  const still = deliver(() => {
    claimed.resolve()
    return late.promise
  })
  await claimed.promise
  await db
    .updateTable('edr_actions')
    .set({ next_attempt_at: new Date(0) })
    .execute()
  await deliver(async () => ({ status: 'running', detail: 'the EDR has it' }))
  late.resolve({ status: 'offline', detail: 'the EDR says the endpoint is offline' })
  await still

  const { status } = await db.selectFrom('edr_endpoints').select('status').executeTakeFirstOrThrow()
  assert.equal(status, 'online')
  const receipt = await db.selectFrom('edr_actions').selectAll().executeTakeFirstOrThrow()
  assert.deepEqual([receipt.status, receipt.detail], ['sent', 'the EDR has it'])
  assert.notEqual(receipt.sent_at, null)
})
