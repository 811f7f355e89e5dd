import type { Playbook } from '@manara/soc-contract/playbooks'
import type { Selectable } from 'kysely'
import type { Tables } from '../../../db/tables.ts'

export type PlaybookRow = Selectable<Tables['playbooks']>

export function toPlaybook(row: PlaybookRow): Playbook {
  const { shipped_hash: _, approved_by: __, deleted_at: ___, approver_ids: ____, ...shown } = row
  const { finished_count, success_count, ...record } = shown
  return {
    ...record,
    success_rate: finished_count === 0 ? null : success_count / finished_count,
    last_run_at: row.last_run_at?.toISOString() ?? null,
    created_at: row.created_at.toISOString(),
    updated_at: row.updated_at.toISOString(),
  }
}
