import type { AlertStatus } from '@manara/soc-contract/alerts'

const SETTLED: readonly AlertStatus[] = ['resolved', 'closed', 'suppressed']

/** Nobody works on it any more; the same thing happening again opens it anew. */
export const isSettled = (status: AlertStatus): boolean => SETTLED.includes(status)
