import type { FieldChange } from '@manara/soc-contract/approvals'

/** Every leaf that differs, under its JSON pointer (RFC 6901); what is not there is null. */
export function differences(before: unknown, after: unknown, path = ''): FieldChange[] {
  if (before === after) return []
  if (!isTree(before) || !isTree(after) || Array.isArray(before) !== Array.isArray(after)) {
    return [{ path, before: before ?? null, after: after ?? null }]
  }
  const names = new Set([...Object.keys(before), ...Object.keys(after)])
  return [...names].flatMap((name) =>
    differences(ownOf(before, name), ownOf(after, name), `${path}/${escaped(name)}`),
  )
}

type Tree = Record<string, unknown>

const isTree = (value: unknown): value is Tree => typeof value === 'object' && value !== null

const ownOf = (tree: Tree, name: string) => (Object.hasOwn(tree, name) ? tree[name] : undefined)

const escaped = (name: string) => name.replaceAll('~', '~0').replaceAll('/', '~1')
