import type { SiteProfile, SiteStatus } from '@manara/soc-contract/sites'
import type { ColumnType } from 'kysely'
import type { Json, Timestamp } from './columns.ts'

export type SiteTables = {
  sites: {
    id: string
    name: string
    region: ColumnType<string | null, string | null | undefined, string | null>
    timezone: string
    status: SiteStatus
    profile: Json<SiteProfile>
    created_at: Timestamp
    updated_at: Timestamp
  }
}
