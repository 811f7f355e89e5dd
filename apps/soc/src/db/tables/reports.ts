import type { ReportFormat, ReportType } from '@manara/soc-contract/reports'
import type { ColumnType } from 'kysely'
import type { Timestamp, UserId } from './columns.ts'

export type ReportTables = {
  reports: {
    id: string
    report_type: ReportType
    format: ReportFormat
    case_id: ColumnType<string | null, string | null | undefined, string | null>
    title: string
    content: Buffer
    sha256: string
    created_by: string
    created_by_id: UserId
    created_at: Timestamp
  }
}
