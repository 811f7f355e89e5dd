import { type AlertStatus, SETTLED } from '@manara/soc-contract/alerts'

export const isSettled = (status: AlertStatus): boolean => SETTLED.includes(status)
