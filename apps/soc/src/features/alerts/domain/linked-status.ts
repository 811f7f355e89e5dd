import type { AlertStatus } from '@manara/soc-contract/alerts'

const DONE: readonly AlertStatus[] = ['resolved', 'closed', 'suppressed']

/** In a case an alert is being investigated; one that was dealt with joins as context only. */
export function linkedStatus(status: AlertStatus): AlertStatus {
  return DONE.includes(status) || status === 'escalated' ? status : 'investigating'
}
