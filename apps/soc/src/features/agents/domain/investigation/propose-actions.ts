import type { Cites, ProposedAction } from '@manara/soc-contract/investigation'
import type { Draft } from './draft.ts'
import type { Observed } from './observed.ts'

/** What a person may want to do next. Nothing of it is done here. */
export function proposeActions(draft: Draft, observed: Observed[]): ProposedAction[] {
  if (draft.verdict === 'nothing_found') return []
  const cites = draft.findings[0]?.cites ?? { log_ids: [], alert_ids: [], rule_ids: [] }
  const [host] = draft.hosts
  const [user] = draft.users
  const why = draft.findings[0]?.claim ?? ''
  const actions: ProposedAction[] = []
  if (draft.verdict === 'attack' && host) {
    actions.push({
      action: 'isolate_host',
      target: { type: 'host', value: host },
      reason: why,
      risk: 'whoever works on this host loses the network',
      way_back: 'release the host',
      requires_approval: true,
      cites,
    })
  }
  if (draft.verdict === 'attack' && user) {
    actions.push({
      action: 'disable_account',
      target: { type: 'user', value: user },
      reason: citesOfUser(draft, user)?.claim ?? why,
      risk: 'whatever runs under this account stops working',
      way_back: 'enable the account and set a new password',
      requires_approval: true,
      cites: citesOfUser(draft, user)?.cites ?? cites,
    })
  }
  for (const { value, type } of observed.filter((one) => one.type !== 'domain').slice(0, 3)) {
    actions.push({
      action: 'block_indicator',
      target: { type, value },
      reason: `${value} belongs to what was found`,
      risk: 'others may have a use for it',
      way_back: 'end the block',
      requires_approval: true,
      cites,
    })
  }
  if (host) {
    actions.push({
      action: 'open_case',
      target: { type: 'host', value: host },
      reason: why,
      risk: 'none',
      way_back: 'close the case',
      requires_approval: false,
      cites,
    })
  }
  return actions
}

const citesOfUser = (draft: Draft, user: string): { claim: string; cites: Cites } | undefined =>
  draft.findings.find((one) => one.user === user)
