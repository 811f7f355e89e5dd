import type { ImportPlan, RuleImportResult } from '@manara/soc-contract/detection-content'
import type { ChangeContext } from '../../../core/change/operator-change.ts'
import type { RuleChecks } from '../rules/create-rule.ts'
import type { DraftChunk } from './draft-rows.ts'
import type { Skipped } from './drafts.ts'
import { importPlanned } from './import-planned.ts'
import { filtersBefore, lostFilters } from './lost-filters.ts'
import { notShared } from './not-shared.ts'
import { storeDrafts } from './store-drafts.ts'

/** All drafts in the caller's transaction: an import is there as a whole or not at all. */
export async function importRules(
  checks: RuleChecks,
  change: ChangeContext,
  read: { chunks: DraftChunk[]; skipped: Skipped[] },
  { setEnabled, plan }: { setEnabled: boolean; plan: ImportPlan | undefined },
): Promise<RuleImportResult> {
  const { chunks } = read
  const theirs = await notShared(change, chunks)
  const skipped = [...read.skipped, ...theirs.map(({ file, reason }) => ({ file, reason }))]
  const filters = await filtersBefore(change.tx, chunks)
  const stored = plan
    ? await importPlanned(checks, change, { chunks, skipped }, plan)
    : await storeDrafts(change.tx, chunks, {
        by: change.principal.username,
        setEnabled,
        except: theirs.map(({ external_id }) => external_id),
      })
  const items = stored.map(({ is_new, settings, ...rule }) => ({
    ...rule,
    enabled: settings.enabled ?? rule.enabled,
    warnings: [
      ...rule.warnings,
      ...lostFilters(filters.get(rule.sigma_id ?? '') ?? [], rule.warnings),
    ],
    action: is_new ? ('imported' as const) : ('updated' as const),
  }))
  const imported = items.filter(({ action }) => action === 'imported').length
  const updated = items.length - imported
  await change.audit({
    action: 'rules.import',
    target: 'rules',
    after: { imported, updated, skipped: skipped.length },
  })
  return { imported, updated, skipped, items }
}
