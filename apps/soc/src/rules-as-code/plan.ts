import { createHash } from 'node:crypto'
import type { ImportPlan } from '@manara/soc-contract/detection-content'
import type { DetectionRule } from '@manara/soc-contract/detections'
import { CONTENT, statedSettings } from '../features/detections/import/stated-settings.ts'
import type { NamedDraft } from './check-rules.ts'

type FieldChange = { field: string; from: unknown; to: unknown }
type PlanItem = {
  id: string
  name: string
  file: string
  /** The version that is changed; null for a rule that is not there yet. */
  version: number | null
  changes: FieldChange[]
}
export type Plan = {
  items: PlanItem[]
  unchanged: number
  /** Rules that this key's owner has made and no file has. */
  missing: Pick<DetectionRule, 'id' | 'external_id' | 'name' | 'version' | 'enabled'>[]
}

/** What a push would do: contents as the files have them, settings where a file states them. */
export function planOf(drafts: NamedDraft[], there: DetectionRule[], owner: string): Plan {
  const known = new Map(there.map((rule) => [rule.external_id, rule]))
  const compared = drafts.map((draft): PlanItem => {
    const { external_id: id, file, rule } = draft
    const before = known.get(id)
    const version = before?.version ?? null
    return { id, file, name: rule.name, version, changes: before ? changesOf(before, draft) : [] }
  })
  const items = compared.filter(({ version, changes }) => version === null || changes.length > 0)
  const ids = new Set<string | null>(drafts.map(({ external_id }) => external_id))
  const missing = there
    .filter((rule) => rule.created_by === owner && rule.external_id !== null)
    .filter((rule) => !ids.has(rule.external_id))
    .map(({ id, external_id, name, version, enabled }) => ({
      ...{ id, external_id, name, version, enabled },
    }))
  return { items, unchanged: compared.length - items.length, missing }
}

function changesOf(before: DetectionRule, draft: NamedDraft): FieldChange[] {
  const content = Object.fromEntries(CONTENT.map((name) => [name, draft.rule[name]]))
  const wanted: Record<string, unknown> = { ...content, ...statedSettings(draft) }
  const current: Record<string, unknown> = { ...before }
  const changes = Object.entries(wanted)
    .map(([field, to]) => ({ field, from: current[field] ?? null, to: to ?? null }))
    .filter(({ from, to }) => canonical(from) !== canonical(to))
  const source = { from: before.sigma?.source ?? null, to: draft.sigma_source }
  if (source.from === source.to) return changes
  return [...changes, { field: 'text of the file', ...source }]
}

/** The same for objects whose names stand in another order, as the database gives them back. */
const canonical = (value: unknown): string =>
  JSON.stringify(value, (_, one: unknown) =>
    typeof one === 'object' && one !== null && !Array.isArray(one)
      ? Object.fromEntries(Object.entries(one).sort(([a], [b]) => (a < b ? -1 : 1)))
      : one,
  )

export const versionsOf = ({ items }: Plan): ImportPlan =>
  Object.fromEntries(items.map(({ id, version }) => [id, version]))

/** The same for the same plan: what was looked at is what is pushed. */
export const digestOf = ({ items, missing }: Plan): string =>
  createHash('sha256').update(canonical({ items, missing })).digest('hex').slice(0, 12)
