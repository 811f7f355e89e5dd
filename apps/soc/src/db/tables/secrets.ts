import type { Generated } from 'kysely'
import type { Timestamp } from './columns.ts'

export type SecretTables = {
  secrets: {
    name: string
    sealed_value: string
    description: string | null
    hosts: string[]
    version: Generated<number>
    created_at: Timestamp
    created_by: string
    updated_at: Timestamp
    updated_by: string
  }
}
