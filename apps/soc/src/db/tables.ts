import type { AlertTables } from './tables/alerts.ts'
import type { AuditTables } from './tables/audit.ts'
import type { CaseTables } from './tables/cases.ts'
import type { IdentityTables } from './tables/identity.ts'
import type { LiveTables } from './tables/live.ts'

/** One type a table, spelled as in the migrations; wire fields keep the same names. */
export type Tables = IdentityTables & AuditTables & LiveTables & AlertTables & CaseTables
