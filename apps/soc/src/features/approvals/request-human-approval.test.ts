import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createOperatorChange } from '../../core/change/operator-change.ts'
import type { Principal } from '../../core/identity/principal.ts'
import { modeOf } from '../../core/mode/mode.ts'
import { openDatabase } from '../../db/database.ts'
import { silentLog } from '../../testing/test-postgres.ts'
import { startTestSoc } from '../../testing/test-soc.ts'
import { createRequestHumanApproval } from './request-human-approval.ts'

const agent: Principal = {
  username: 'agent-003',
  role: 'service',
  permissions: new Set(),
  kind: 'user',
}

test('request_human_approval', async (t) => {
  const soc = await startTestSoc(t)
  const as = await soc.signIn()
  const database = await openDatabase({ connection: soc.connection, log: silentLog })
  t.after(() => database.close())
  const { internalWorkflow } = createOperatorChange({
    database,
    mode: modeOf('real'),
    recordAudit: async () => {},
    wake: () => {},
  })
  const asked = { action: 'wipe fin-ws-07', justification: 'beacon' }
  const pending = async () => (await soc.call('GET', '/approvals', { as })).body.items[0]

  /** `onPoll` is told the number of each pause and may act meanwhile. */
  function tool(onPoll: (poll: number) => Promise<unknown> = async () => {}) {
    const pauses: number[] = []
    const request = createRequestHumanApproval({
      db: database.kysely,
      internalWorkflow,
      async pause(ms) {
        pauses.push(ms)
        await onPoll(pauses.length)
      },
    })
    return { pauses, request }
  }

  await t.test(
    'polls ten times at 30 seconds, then reports timeout; the record stays decidable',
    async () => {
      const { pauses, request } = tool()
      const answer = await request(asked, agent)
      assert.deepEqual(pauses, Array(10).fill(30_000))
      assert.equal(answer.status, 'timeout')
      assert.ok('message' in answer && /still be decided/.test(answer.message))
      const record = await pending()
      assert.equal(record.id, answer.approval_id)
      assert.equal(record.status, 'pending')
      assert.equal(record.requested_by, 'agent-003')
      assert.equal(record.kind, 'request')
      const decided = await soc.call('POST', `/approvals/${answer.approval_id}/decide`, {
        as,
        body: { approved: true },
      })
      assert.equal(decided.status, 200)
    },
  )

  for (const [approved, status] of [
    [true, 'approved'],
    [false, 'rejected'],
  ] as const) {
    await t.test(`a decision is seen at the next poll: ${status}`, async () => {
      const { pauses, request } = tool(async (poll) => {
        if (poll !== 3) return
        const { id } = await pending()
        await soc.call('POST', `/approvals/${id}/decide`, { as, body: { approved } })
      })
      const answer = await request(asked, agent)
      assert.deepEqual(answer, { approval_id: answer.approval_id, status, decided_by: 'admin' })
      assert.equal(pauses.length, 3)
    })
  }

  await t.test('ttl_hours sets when it expires, and an expired one ends the polling', async () => {
    const { pauses, request } = tool(async (poll) => {
      const { id, created_at, expires_at } = await pending()
      if (poll === 1) assert.equal(Date.parse(expires_at) - Date.parse(created_at), 1_800_000)
      if (poll === 2) await soc.query('UPDATE approvals SET expires_at = now() WHERE id = $1', [id])
    })
    const answer = await request({ ...asked, ttl_hours: 0.5 }, agent)
    assert.equal(answer.status, 'timeout')
    assert.equal(pauses.length, 2)
  })

  await t.test('a case that cannot be is refused', async () => {
    const { request } = tool()
    await assert.rejects(
      request({ ...asked, case_id: 'nonsense' }, agent),
      /case nonsense not found/,
    )
  })

  await t.test('the caller may stop waiting', async () => {
    const request = createRequestHumanApproval({ db: database.kysely, internalWorkflow })
    const waiting = new AbortController()
    const answer = request(asked, agent, waiting.signal)
    waiting.abort()
    await assert.rejects(answer, /abort/i)
  })
})
