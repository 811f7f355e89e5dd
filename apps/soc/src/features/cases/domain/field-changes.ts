import { canonicalJson } from '@manara/soc-contract/canonical-json'
import type { CaseFields } from '@manara/soc-contract/cases'

type Name = keyof CaseFields
export type FieldChange = { name: Name; before: unknown; after: unknown }

/** The fields that will really be different. */
export function changedFields(before: { [K in Name]: unknown }, asked: CaseFields): FieldChange[] {
  return (Object.keys(asked) as Name[])
    .map((name) => ({ name, before: before[name], after: asked[name] }))
    .filter((change) => !isSame(change.before, change.after))
}

const isSame = (before: unknown, after: unknown) =>
  before === after || (typeof after === 'object' && canonicalJson(before) === canonicalJson(after))

// Long texts would bury the timeline; the audit log has them.
const UNSPOKEN: readonly Name[] = ['description', 'access']

/** As the timeline says it: `status open → investigating`. */
export function describeChange({ name, before, after }: FieldChange): string {
  if (UNSPOKEN.includes(name)) return `${name} changed`
  return `${name} ${spoken(before)} → ${spoken(after)}`
}

const spoken = (value: unknown) => (value === null || value === '' ? 'none' : String(value))
