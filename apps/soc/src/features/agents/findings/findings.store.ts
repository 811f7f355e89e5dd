import { randomUUIDv7 } from 'node:crypto'
import type { AgentFinding, FindingListQuery } from '@manara/soc-contract/agents'
import type { ListOf } from '@manara/soc-contract/lists'
import { storable } from '@manara/soc-contract/storable'
import { type Kysely, type Selectable, sql } from 'kysely'
import { isReadable, namesNoHidden } from '../../../core/access/reader.ts'
import type { ChangeContext } from '../../../core/change/operator-change.ts'
import { inTime } from '../../../db/keyset.ts'
import { readPage } from '../../../db/page.ts'
import { isRecordId } from '../../../db/record-id.ts'
import { storableJson } from '../../../db/storable.ts'
import type { Tables } from '../../../db/tables.ts'
import type { NewFinding } from '../queue/agent-work.ts'
import { specOf } from '../registry/catalogue.ts'
import { filledCites } from './cited.ts'

/** Answers how many of them the agent has not said before. */
export async function storeFindings(
  change: ChangeContext,
  agentId: string,
  runId: string,
  findings: NewFinding[],
): Promise<number> {
  if (findings.length === 0) return 0
  const rows = await change.tx
    .insertInto('agent_findings')
    .values(findings.map((finding) => ({ ...stored(finding), agent_id: agentId, run_id: runId })))
    .onConflict((conflict) => conflict.columns(['agent_id', 'key']).doNothing())
    .returningAll()
    .execute()
  for (const row of rows) {
    const { data: _, ...told } = toFinding(row)
    await change.publish('finding.created', told)
  }
  return rows.length
}

function stored(finding: NewFinding) {
  const { alertId = null, caseId = null, host = null, techniques = [], data = {} } = finding
  return {
    id: randomUUIDv7(),
    key: storable(finding.key).slice(0, 1_000),
    kind: finding.kind,
    claim: storable(finding.claim).slice(0, 2_000),
    reasons: finding.reasons.slice(0, 100).map((reason) => storable(reason).slice(0, 2_000)),
    weight: Math.max(0, Math.min(100, Math.round(finding.weight))),
    alert_id: alertId,
    case_id: caseId,
    host: host === null ? null : storable(host).slice(0, 255),
    techniques,
    data: storableJson(data),
    cites: storableJson(filledCites(finding.cites)),
  }
}

export async function listFindings(
  db: Kysely<Tables>,
  query: FindingListQuery,
): Promise<ListOf<AgentFinding>> {
  const listed = db
    .selectFrom('agent_findings')
    .selectAll()
    .where(sql.join<boolean>([...conditionsOf(query)], sql` AND `))
  return readPage(query, inTime('created_at', query.order), listed, toFinding)
}

function* conditionsOf({ agent_id, kind, alert_id, case_id }: FindingListQuery) {
  yield isReadable('case_id')
  yield namesNoHidden('cites')
  if (agent_id) yield sql`agent_id = ${specOf(agent_id)?.id ?? agent_id}`
  if (kind) yield sql`kind = ${kind}`
  if (alert_id) yield isRecordId(alert_id) ? sql`alert_id = ${alert_id}` : sql`false`
  if (case_id) yield isRecordId(case_id) ? sql`case_id = ${case_id}` : sql`false`
}

const toFinding = ({ key: _, ...row }: Selectable<Tables['agent_findings']>): AgentFinding => ({
  ...row,
  created_at: row.created_at.toISOString(),
})
