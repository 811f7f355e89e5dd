import type { LogFormat } from '../log-format.ts'
import { dovecot } from './dovecot.ts'
import { exchangeTracking } from './exchange-tracking.ts'
import { postfix } from './postfix.ts'

export const MAIL_SERVERS: readonly LogFormat[] = [postfix, dovecot, exchangeTracking]
