import type { Alert } from '@manara/soc-contract/alerts'
import type { CaseDetail } from '@manara/soc-contract/cases'
import type { ChatPreview, LookingAt } from '@manara/soc-contract/chat'
import type { Ask } from './domain/ask.ts'
import { plain } from './domain/plain.ts'
import type { Wish } from './domain/wish.ts'

export type Previews = {
  /** The endpoint of this name, if there is one and the one who asks may read it. */
  findEndpoint(name: string): Promise<{ id: string; hostname: string } | undefined>
  /** Shows what could be proposed. Nothing is. */
  offer(preview: ChatPreview): void
}

const NOTHING_CITED =
  'I change nothing myself. To propose this I need what it rests on: open the alert or the case and ask again.\n'

/** Says what could be proposed, exactly; a person proposes it and another one decides. */
export async function* previewAction(
  wish: Wish,
  at: LookingAt,
  ask: Ask,
  { findEndpoint, offer }: Previews,
): AsyncIterable<string> {
  const basis = await basisOf(at, ask)
  if (!basis) return yield NOTHING_CITED
  const { alert, cites } = basis
  const [case_id] = cites.case_ids
  // A case may be private, and what is done is everybody's: the reason names an alert, but no case.
  const reason = `Asked for in the chat${alert ? ` about: ${alert.title}` : ''}`.slice(0, 1_000)
  const rationale = [case_id ? `${reason} about case ${case_id}` : reason]
  const preview = (title: string, action: ChatPreview['action']) => {
    offer({ title: title.slice(0, 500), rationale, action, cites })
    return `I change nothing myself. This can be proposed, and somebody else decides:\n`
  }
  switch (wish.what) {
    case 'isolate':
    case 'scan': {
      const name = wish.host ?? at.host ?? alert?.host ?? undefined
      if (!name) return yield 'Which host? Name it: isolate host NAME.\n'
      const endpoint = await findEndpoint(name)
      if (!endpoint) return yield `The inventory has no endpoint called ${plain(name)}.\n`
      const { id: endpoint_id, hostname } = endpoint
      const verb = wish.what === 'scan' ? 'Scan' : 'Isolate'
      return yield preview(`${verb} ${hostname}`, {
        ...{ kind: 'endpoint_action', endpoint_id, hostname },
        ...{ command: wish.what, reason },
      })
    }
    case 'block': {
      const value = wish.value ?? alert?.iocs[0]
      if (!value) return yield 'Block what? Name an address, a domain or a hash.\n'
      return yield preview(`Block ${value}`, {
        ...{ kind: 'add_indicators', values: [value], score: 80, valid_days: 30, reason },
      })
    }
    case 'disable': {
      if (!wish.account) return yield 'Which account? Name it: disable account NAME.\n'
      return yield preview(`Disable the account ${wish.account}`, {
        ...{ kind: 'disable_account', account: wish.account, host: alert?.host ?? null },
        ...{ alert_ids: cites.alert_ids, reason },
      })
    }
    case 'playbook': {
      if (!wish.name) return yield 'Which playbook? Name it: run playbook contain-ransomware.\n'
      return yield preview(`Run the playbook ${wish.name}`, {
        ...{ kind: 'execute_playbook', playbook_id: wish.name, parameters: {} },
        ...{ alert_id: at.alert_id ?? null, case_id: at.case_id ?? null },
      })
    }
    case 'open-case': {
      if (!alert) return yield 'Open an alert and ask again: a case begins with one.\n'
      return yield preview(`Open a case: ${alert.title}`, {
        ...{ kind: 'open_case', title: alert.title, severity: alert.severity },
        ...{ description: reason, alert_ids: [alert.id], tasks: [] },
      })
    }
  }
}

type Basis = { alert: Alert | undefined; cites: ChatPreview['cites'] }

/** What stands open, read as the one who asks: nothing rests on what they may not see. */
async function basisOf(at: LookingAt, ask: Ask): Promise<Basis | undefined> {
  const cites = {
    ...{ log_ids: [], alert_ids: [], case_ids: [] },
    ...{ rule_ids: [], endpoint_ids: [], ioc_ids: [] },
  }
  if (at.alert_id) {
    const { alert, error_code } = await ask('get_alert', { alert_id: at.alert_id })
    if (error_code !== null) return undefined
    const found = alert as Alert
    return { alert: found, cites: { ...cites, alert_ids: [found.id] } }
  }
  if (!at.case_id) return undefined
  const answer = await ask('get_case', { case_id: at.case_id })
  if (answer.error_code !== null) return undefined
  const { id } = answer.case as CaseDetail
  return { alert: undefined, cites: { ...cites, case_ids: [id] } }
}
