import type {
  Investigation,
  InvestigationRecord,
  InvestigationSummary,
} from '@manara/soc-contract/investigation'
import type { Selectable } from 'kysely'
import type { Tables } from '../../../../db/tables.ts'

export type InvestigationRow = Selectable<Tables['investigations']>

const UNKNOWN = {
  verdict: null,
  confidence: null,
  confidence_reasons: [],
  score: null,
  partial: null,
  window: null,
  anchor: null,
  looked_for: [],
  hosts: [],
  users: [],
  initiator: null,
  root: null,
  techniques: [],
  findings: [],
  timeline: [],
  related_alerts: [],
  indicators: [],
  cps: null,
  proposed_actions: [],
  plan: [],
  digest: null,
  model: null,
} satisfies Partial<Investigation>

function toRecord(row: InvestigationRow): InvestigationRecord {
  const { alert_context, has_cps_assets, severity } = row.request
  return {
    id: row.id,
    status: row.status,
    progress: row.progress,
    error: row.error,
    request: { alert_context, has_cps_assets, severity },
    requested_by: row.requested_by,
    attempts: row.attempts,
    created_at: row.created_at.toISOString(),
    updated_at: row.updated_at.toISOString(),
    completed_at: row.completed_at?.toISOString() ?? null,
  }
}

export const toInvestigation = (row: InvestigationRow): Investigation => ({
  ...toRecord(row),
  ...(row.conclusion ?? UNKNOWN),
})

export const toSummary = (row: InvestigationRow): InvestigationSummary => ({
  ...toRecord(row),
  verdict: row.conclusion?.verdict ?? null,
  confidence: row.conclusion?.confidence ?? null,
  hosts: row.conclusion?.hosts ?? [],
  users: row.conclusion?.users ?? [],
})

/** What listeners hear: where it stands, not what was asked or found. */
export const toHeard = ({ id, status, progress, verdict, error }: InvestigationRow) => ({
  id,
  status,
  progress,
  verdict,
  error,
})
