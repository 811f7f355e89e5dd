import { conflict, invalid } from '@manara/kit/errors'
import type { Proposal, ProposalCreate } from '@manara/soc-contract/proposals'
import type { ChangeContext } from '../../../core/change/operator-change.ts'
import type { LogStore } from '../../../ports/log-store.ts'
import { citesOf, knownLogs, knownRecords } from '../findings/cited.ts'
import { hashOf } from './domain/kinds.ts'
import { storeProposal } from './store-proposal.ts'

/** Held to the same rule as the agents: nothing without evidence that is there. */
export async function proposeByHand(
  logs: Pick<LogStore, 'search'>,
  change: ChangeContext,
  body: ProposalCreate,
): Promise<Proposal> {
  const { cites } = body
  const known = {
    ...(await knownRecords(change.tx, { findings: [], proposals: [{ cites }] })),
    log_ids: await knownLogs(logs, [{ cites }]),
  }
  const named = citesOf(cites)
  if (named.every(([, ids]) => ids.length === 0)) throw invalid('cites', 'must name evidence')
  for (const [kind, ids] of named) {
    const missing = ids.find((id) => !known[kind].has(id))
    if (missing !== undefined) throw invalid(`cites.${kind}`, `${missing} does not exist`)
  }
  const { title, rationale, action } = body
  const key = `${action.kind}:${hashOf(action)}`
  const from = { agentId: null, runId: null }
  const stored = await storeProposal(change, from, { key, title, rationale, action, cites })
  if (!stored) throw conflict('the same is proposed already, or was decided lately')
  return stored
}
