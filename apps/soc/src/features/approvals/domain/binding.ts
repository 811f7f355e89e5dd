import { createHash } from 'node:crypto'
import { canonicalJson } from '@manara/soc-contract/canonical-json'

export type Bound = {
  playbook_id: string | null
  alert_id: string | null
  case_id: string | null
  parameters: Record<string, unknown>
  /** Whatever else makes it this request and no other: the steps, say. */
  bound: Record<string, unknown>
}

/** Stands for exactly what was asked: the same playbook with other parameters has another one. */
export function bindingOf({ playbook_id, alert_id, case_id, parameters, bound }: Bound): string {
  const request = { playbook_id, alert_id, case_id, parameters, bound }
  return sha256Of(request)
}

export const sha256Of = (value: object): string =>
  createHash('sha256').update(canonicalJson(value)).digest('hex')
