import { conflict, invalid } from '@manara/kit/errors'
import type { ImportPlan } from '@manara/soc-contract/detection-content'
import { type Kysely, sql } from 'kysely'
import type { ChangeContext } from '../../../core/change/operator-change.ts'
import type { Tables } from '../../../db/tables.ts'
import type { RuleChecks } from '../rules/create-rule.ts'
import { updateRule } from '../rules/update-rule.ts'
import type { DraftChunk } from './draft-rows.ts'
import type { Skipped } from './drafts.ts'
import { type StoredDraft, storeDrafts } from './store-drafts.ts'

/**
 * Of the files the planned rules alone, with the settings their files state, as long as nobody has
 * changed them since the plan was made; else nothing at all.
 */
export async function importPlanned(
  checks: RuleChecks,
  change: ChangeContext,
  read: { chunks: DraftChunk[]; skipped: Skipped[] },
  plan: ImportPlan,
): Promise<StoredDraft[]> {
  const [skipped] = read.skipped
  if (skipped) throw invalid('files', `${skipped.file}: ${skipped.reason}`)
  await refuseStale(change.tx, plan)
  const stored = await storeDrafts(change.tx, read.chunks, {
    by: change.principal.username,
    setEnabled: false,
    only: Object.keys(plan),
  })
  const there = new Set(stored.map(({ sigma_id }) => sigma_id))
  const missing = Object.keys(plan).find((id) => !there.has(id))
  if (missing !== undefined) throw invalid('plan', `no file has the rule ${missing}`)
  for (const { id, is_new, settings } of stored) {
    if (is_new || Object.keys(settings).length === 0) continue
    await updateRule(checks, change, id, settings)
  }
  return stored
}

async function refuseStale(tx: Kysely<Tables>, plan: ImportPlan) {
  const rows = await tx
    .selectFrom('detection_rules')
    .select(['sigma_id', 'version'])
    .where('sigma_id', '=', sql<string>`ANY(${Object.keys(plan)}::text[])`)
    .orderBy('id')
    .forUpdate()
    .execute()
  const versions = new Map(rows.map(({ sigma_id, version }) => [sigma_id, version]))
  for (const [id, version] of Object.entries(plan)) {
    const current = versions.get(id) ?? null
    if (current === version) continue
    const now = current === null ? 'not there any more' : `at version ${current}`
    throw conflict(`the rule ${id} is ${now}: nothing was imported, make the plan again`)
  }
}
