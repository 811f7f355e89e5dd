import type { Migration } from 'kysely/migration'
import { identity } from './migrations/001-identity.ts'
import { audit } from './migrations/002-audit.ts'
import { outbox } from './migrations/003-outbox.ts'
import { rateBudgets } from './migrations/004-rate-budgets.ts'
import { cases } from './migrations/100-cases.ts'
import { evidenceLedger } from './migrations/101-evidence-ledger.ts'
import { alerts } from './migrations/110-alerts.ts'
import { alertCounts } from './migrations/111-alert-counts.ts'

/** Applied in order of their names, each once. Append; never edit one that has shipped. */
export const MIGRATIONS: Record<string, Migration> = {
  '001-identity': identity,
  '002-audit': audit,
  '003-outbox': outbox,
  '004-rate-budgets': rateBudgets,
  '100-cases': cases,
  '101-evidence-ledger': evidenceLedger,
  '110-alerts': alerts,
  '111-alert-counts': alertCounts,
}
