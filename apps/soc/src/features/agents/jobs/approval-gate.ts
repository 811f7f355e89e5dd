import { sql } from 'kysely'
import type { ChangeContext } from '../../../core/change/operator-change.ts'
import type { ProposalFunctions } from '../proposals/functions.ts'
import { gateProposal } from '../proposals/gate-proposal.ts'
import type { ProposalRow } from '../proposals/proposal-record.ts'
import { lockProposal, setProposal } from '../proposals/proposals.store.ts'
import type { AgentWork, Run } from '../queue/agent-work.ts'

const MINUTE = 60_000
const AT_ONCE = 100

const isThere = async ({ tx }: ChangeContext, id: string) =>
  (await tx.selectFrom('proposals').select('id').where('id', '=', id).executeTakeFirst()) !==
  undefined

/**
 * Lets proposals through to the people who decide: their evidence and their target are there. Takes
 * back what nobody decided in time.
 */
export function createApprovalGate(
  functions: Pick<
    ProposalFunctions,
    'requestApproval' | 'askForPlaybook' | 'withdrawApproval' | 'cancelExecution'
  >,
): AgentWork {
  return {
    everyMs: MINUTE,
    jobsOf({ event, data }) {
      const isWithdrawn = data.status === 'withdrawn' && data.approval_id !== null
      const isConcerned =
        event === 'proposal.created' || (event === 'proposal.updated' && isWithdrawn)
      if (!isConcerned) return []
      const key = `proposal:${data.id}:${data.status}`
      return [{ key, input: { proposal_id: data.id }, priority: 4 }]
    },
    async run({ input }, run) {
      if (typeof input.proposal_id === 'string') letThrough(input.proposal_id, run)
      else await expire(run)
    },
  }

  function letThrough(id: string, run: Run) {
    run.record(async (change) => {
      // Proposals about the demonstration go with it, also while their job waits.
      if (!(await isThere(change, id))) return run.say('the proposal is gone')
      const row = await lockProposal(change.tx, id)
      if (row.status === 'withdrawn') return takeBack(change, row)
      if (row.status !== 'open' || row.approval_id !== null) return
      const { status, status_reason } = await gateProposal(functions, change, row)
      run.say(status === 'open' ? 'waits for people' : `${status}: ${status_reason}`)
    })
  }

  /** An execution that waits for the approval would wait for ever. */
  async function takeBack(
    change: ChangeContext,
    { kind, approval_id, result }: ProposalRow,
  ): Promise<void> {
    if (approval_id === null) return
    if (kind !== 'execute_playbook') return functions.withdrawApproval(change, approval_id)
    const waiting = await change.tx
      .selectFrom('executions')
      .select('id')
      .where('id', '=', String(result?.execution_id))
      .where('status', '=', 'pending_approval')
      .executeTakeFirst()
    if (waiting) await functions.cancelExecution(change, waiting.id)
  }

  async function expire(run: Run) {
    const over = await run.db
      .selectFrom('proposals')
      .select('id')
      .where('status', '=', 'open')
      .where('expires_at', '<=', sql<Date>`now()`)
      .limit(AT_ONCE)
      .execute()
    for (const { id } of over) {
      run.record(async (change) => {
        const row = await lockProposal(change.tx, id)
        if (row.status !== 'open') return
        await takeBack(change, row)
        await setProposal(change, id, {
          status: 'expired',
          status_reason: 'nobody decided in time',
        })
      })
    }
  }
}
