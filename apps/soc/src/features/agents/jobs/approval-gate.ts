import { sql } from 'kysely'
import type { ProposalFunctions } from '../proposals/functions.ts'
import { gateProposal } from '../proposals/gate-proposal.ts'
import { lockProposal, setProposal } from '../proposals/proposals.store.ts'
import type { AgentWork, Run } from '../queue/agent-work.ts'

const MINUTE = 60_000
const AT_ONCE = 100

/**
 * Lets proposals through to the people who decide: their evidence and their target are there. Takes
 * back what nobody decided in time.
 */
export function createApprovalGate(
  functions: Pick<ProposalFunctions, 'requestApproval' | 'askForPlaybook' | 'withdrawApproval'>,
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
      const row = await lockProposal(change.tx, id)
      if (row.status === 'withdrawn' && row.approval_id !== null) {
        return functions.withdrawApproval(change, row.approval_id)
      }
      if (row.status !== 'open' || row.approval_id !== null) return
      const { status, status_reason } = await gateProposal(functions, change, row)
      run.say(status === 'open' ? 'waits for people' : `${status}: ${status_reason}`)
    })
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
        if (row.approval_id) await functions.withdrawApproval(change, row.approval_id)
        await setProposal(change, id, {
          status: 'expired',
          status_reason: 'nobody decided in time',
        })
      })
    }
  }
}
