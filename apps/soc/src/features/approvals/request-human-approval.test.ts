import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import { sql } from 'kysely'
import type { PoolConfig } from 'pg'
import type { Principal } from '../../core/identity/principal.ts'
import { openChanges } from '../../testing/changes-of.ts'
import { silentLog, testDatabase } from '../../testing/test-postgres.ts'
import { startTestSoc } from '../../testing/test-soc.ts'
import { until } from '../../testing/until.ts'
import { expireApprovals } from './expire-approvals.ts'
import { lookForDecisions, readWaiting, requestHumanApproval } from './request-human-approval.ts'

const agent: Principal = {
  username: 'agent-003',
  role: 'service',
  permissions: new Set(),
  kind: 'user',
}

async function asking(t: TestContext, connection: PoolConfig) {
  const { database, internalWorkflow } = await openChanges(t, connection)
  const ask = (ttl_hours = 4, action = 'wipe fin-ws-07') =>
    internalWorkflow(
      (change) =>
        requestHumanApproval(change, {
          action,
          justification: 'beacon',
          case_id: null,
          ttl_hours,
        }),
      agent,
    )
  return { database, internalWorkflow, ask }
}

test('an approval from which nothing can follow keeps no other from timing out', async (t) => {
  const { database, internalWorkflow, ask } = await asking(t, await testDatabase())
  const db = database.kysely
  const [bad, good] = [await ask(), await ask(4, 'wipe fin-ws-08')]
  await sql`UPDATE approvals SET expires_at = now()`.execute(db)
  const followed: string[] = []
  await expireApprovals({ db, internalWorkflow, log: silentLog }, async ({ tx }, { id }) => {
    if (id === bad.approval_id) await sql`SELECT 1 / 0`.execute(tx)
    followed.push(id)
  })
  assert.deepEqual(followed, [good.approval_id])
  const { rows } = await sql<{ status: string }>`SELECT DISTINCT status FROM approvals`.execute(db)
  assert.deepEqual(rows, [{ status: 'timeout' }])
})

test('request_human_approval', async (t) => {
  const soc = await startTestSoc(t)
  const as = await soc.signIn()
  const { database, internalWorkflow, ask } = await asking(t, soc.connection)
  const look = (id: string) => readWaiting(database.kysely, id)
  const turnClock = () =>
    soc.query(`UPDATE approval_waits SET next_poll_at = next_poll_at - interval '30 seconds'`)
  const polls = async (id: string) => {
    const [row] = await soc.query<{ polls: number }>(
      'SELECT polls FROM approval_waits WHERE approval_id = $1',
      [id],
    )
    return row?.polls
  }
  /** The service looks, too, and may be at it. */
  const polled = (id: string, times: number) =>
    until(`looked ${times} times`, async () => (await polls(id)) === times)

  await t.test('answers at once, and looks for the first time after 30 seconds', async () => {
    const { approval_id, status, decided_by } = await ask()
    assert.deepEqual([status, decided_by], ['pending', null])
    await lookForDecisions({ internalWorkflow })
    assert.equal(await polls(approval_id), 0)
  })

  await t.test('asked again meanwhile it is the same one, which is waited for anew', async () => {
    const asked = () => ask(4, 'wipe fin-ws-09')
    const { approval_id } = await asked()
    await soc.query(`UPDATE approval_waits SET polls = 10, outcome = 'timeout'
      WHERE approval_id = '${approval_id}'`)
    assert.equal((await look(approval_id)).status, 'timeout')
    const again = await Promise.all([asked(), asked()])
    assert.deepEqual(
      again.map((one) => [one.approval_id, one.status]),
      [
        [approval_id, 'pending'],
        [approval_id, 'pending'],
      ],
    )
    await soc.call('POST', `/approvals/${approval_id}/decide`, { as, body: { approved: false } })
    assert.notEqual((await asked()).approval_id, approval_id, 'a decision is for what was asked')
  })

  await t.test(
    'looks ten times at 30 seconds, then reports timeout; the record stays decidable',
    async () => {
      const { approval_id } = await ask()
      for (let poll = 1; poll <= 10; poll += 1) {
        assert.equal((await look(approval_id)).status, 'pending')
        await turnClock()
        await lookForDecisions({ internalWorkflow })
        await polled(approval_id, poll)
      }
      const answer = await look(approval_id)
      assert.equal(answer.status, 'timeout')
      assert.match(answer.message ?? '', /still be decided/)
      await turnClock()
      await lookForDecisions({ internalWorkflow })
      assert.equal(await polls(approval_id), 10)

      const decided = await soc.call('POST', `/approvals/${approval_id}/decide`, {
        as,
        body: { approved: true },
      })
      assert.equal(decided.status, 200)
      assert.equal((await look(approval_id)).status, 'approved')
    },
  )

  for (const [approved, status] of [
    [true, 'approved'],
    [false, 'rejected'],
  ] as const) {
    await t.test(`a decision ends the looking: ${status}`, async () => {
      const { approval_id } = await ask()
      await soc.call('POST', `/approvals/${approval_id}/decide`, {
        as,
        body: { approved, reason: 'seen' },
      })
      await turnClock()
      await lookForDecisions({ internalWorkflow })
      await turnClock()
      await lookForDecisions({ internalWorkflow })
      assert.equal(await polls(approval_id), 1)
      const answer = await look(approval_id)
      assert.deepEqual([answer.status, answer.decided_by, answer.reason], [status, 'admin', 'seen'])
    })
  }

  await t.test('ttl_hours sets when it expires, and an expired one ends the looking', async () => {
    const { approval_id } = await ask(0.5)
    const [record] = await soc.query<{ created_at: Date; expires_at: Date }>(
      'SELECT * FROM approvals WHERE id = $1',
      [approval_id],
    )
    assert.equal(Number(record?.expires_at) - Number(record?.created_at), 1_800_000)
    await soc.query('UPDATE approvals SET expires_at = now() WHERE id = $1', [approval_id])
    await turnClock()
    await lookForDecisions({ internalWorkflow })
    await polled(approval_id, 1)
    assert.equal((await look(approval_id)).status, 'timeout')
  })
})
