import type { AlertStatus } from '@manara/soc-contract/alerts'
import { isSettled } from './settled.ts'

/** In a case an alert is being investigated; one that was dealt with joins as context only. */
export function linkedStatus(status: AlertStatus): AlertStatus {
  return isSettled(status) || status === 'escalated' ? status : 'investigating'
}
