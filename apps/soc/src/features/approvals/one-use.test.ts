import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { playbookRuns } from '../../testing/playbook-runs.ts'
import { startTestSoc } from '../../testing/test-soc.ts'

type Act = { act: 'approve' | 'reject' | 'replay' | 'expire'; process: 0 | 1; after: number }

test('however decisions and replays meet, an approval is used at most once', async (t) => {
  const first = await startTestSoc(t)
  const second = await startTestSoc(t, { connection: first.connection })
  const socs = [first, second] as const
  const as = await first.signIn()
  const { write, call } = playbookRuns(first, as)
  const { id } = await write({
    is_critical: true,
    steps: [{ id: 's', action: 'wait', params: { seconds: 0.01 } }],
  })
  const path = `/soar/playbooks/${id}/execute`

  const acts = fc.array(
    fc.record({
      act: fc.constantFrom<Act['act'][]>(
        'approve',
        'approve',
        'reject',
        'replay',
        'replay',
        'expire',
      ),
      process: fc.constantFrom(0, 1),
      // Started together, or one after the answer to another.
      after: fc.nat(2),
    }),
    { minLength: 2, maxLength: 8 },
  )
  await fc.assert(
    fc.asyncProperty(acts, async (plan) => {
      const approval = (await call('POST', path)).body.approval_id as string
      const perform = ({ act, process }: { act: Act['act']; process: number }) => {
        const soc = socs[process] ?? first
        if (act === 'replay') return soc.call('POST', `${path}?approval_id=${approval}`, { as })
        if (act === 'expire') {
          const text = 'UPDATE approvals SET expires_at = now() WHERE id = $1'
          return first.query(text, [approval]).then(() => ({ status: 0 }))
        }
        const body = { approved: act === 'approve' }
        return soc.call('POST', `/approvals/${approval}/decide`, { as, body })
      }
      const replies: { act: string; status: number }[] = []
      for (const wave of Object.values(Object.groupBy(plan, ({ after }) => after))) {
        const answered = await Promise.all(
          (wave ?? []).map(async (one) => ({ act: one.act, status: (await perform(one)).status })),
        )
        replies.push(...answered)
      }
      const done = (act: RegExp) =>
        replies.filter((reply) => act.test(reply.act) && reply.status === 200).length
      assert.ok(
        replies.every(({ status }) => [0, 200, 409].includes(status)),
        JSON.stringify(replies),
      )
      assert.ok(done(/^(approve|reject)$/) <= 1)
      assert.ok(done(/replay/) <= done(/approve/))
      const executions = await first.query('SELECT FROM executions WHERE approval_id = $1', [
        approval,
      ])
      assert.equal(executions.length, done(/replay/))
      const { status } = (await call('GET', `/approvals/${approval}`)).body
      assert.equal(status === 'consumed', done(/replay/) === 1)
    }),
    { numRuns: 25 },
  )
})
