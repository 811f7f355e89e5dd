import { createHash } from 'node:crypto'
import { canonicalJson } from '@manara/soc-contract/canonical-json'
import type { Permission } from '@manara/soc-contract/permissions'
import type { ProposalKind, ProposedAction } from '@manara/soc-contract/proposals'

type Kind = {
  effect: 'records' | 'acts'
  /** Who may do it by hand may accept it; what acts needs the right to approve as well. */
  permission: Permission
  /** What taking it back needs beside that. */
  undoPermission?: Permission
  risk: string
  wayBack: string
}

export const KINDS: Record<ProposalKind, Kind> = {
  open_case: {
    effect: 'records',
    permission: 'cases:write',
    undoPermission: 'cases:delete',
    risk: 'None outside of the platform.',
    wayBack: 'The case is deleted and its alerts are free again, while it has no evidence.',
  },
  link_alerts: {
    effect: 'records',
    permission: 'cases:write',
    risk: 'None outside of the platform.',
    wayBack: 'The alerts are taken out of the case.',
  },
  merge_cases: {
    effect: 'records',
    permission: 'cases:write',
    risk: 'People who work on one of the cases go on in the other.',
    wayBack: 'The cases are separated, each with its alerts.',
  },
  add_tasks: {
    effect: 'records',
    permission: 'cases:write',
    risk: 'None outside of the platform.',
    wayBack: 'The tasks are cancelled.',
  },
  raise_alert: {
    effect: 'records',
    permission: 'alerts:write',
    risk: 'None outside of the platform.',
    wayBack: 'The alert is closed as raised by mistake, unless it was there before.',
  },
  suppress: {
    effect: 'records',
    permission: 'detections:write',
    risk: 'An attack that looks like what is held back raises no alert while this lasts.',
    wayBack: 'The suppression ends at once.',
  },
  add_indicators: {
    effect: 'records',
    permission: 'iocs:write',
    risk: 'Whatever uses the indicators of this platform may block them.',
    wayBack: 'The indicators are as they were before.',
  },
  endpoint_action: {
    effect: 'acts',
    permission: 'edr:manage',
    risk: 'Who works on the host loses the network until it is released.',
    wayBack: 'The host is released, unless it was isolated before.',
  },
  execute_playbook: {
    effect: 'acts',
    permission: 'soar:execute',
    risk: 'The steps of the playbook, as the approval shows them.',
    wayBack: 'The steps that know a way back are taken back.',
  },
  disable_account: {
    effect: 'acts',
    permission: 'cases:write',
    risk: 'Whoever uses the account is locked out.',
    wayBack: 'The task is cancelled; an account that was disabled is enabled by hand.',
  },
}

/** Stands for exactly these bytes. */
export const hashOf = (action: ProposedAction): string =>
  createHash('sha256').update(canonicalJson(action)).digest('hex')
