import type { DemonstrationStatus } from '@manara/soc-contract/demonstration'
import type { Generated } from 'kysely'
import type { Timestamp } from './columns.ts'

export type DemonstrationTables = {
  demonstration: {
    is_only: Generated<boolean>
    id: string
    status: Exclude<DemonstrationStatus, 'none'>
    step: string | null
    /** Of its events and of no others: they are dropped by it. */
    source: string
    events: Generated<number>
    begun_by: string
    begun_at: Timestamp
  }
}
