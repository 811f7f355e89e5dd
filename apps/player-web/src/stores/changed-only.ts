/**
 * Of what was edited only what this phone has changed: what another one changed meanwhile stays.
 * Undefined where nothing was.
 */
export function changedOnly<Whole extends object>(
  before: Whole,
  after: Partial<Whole>,
): Partial<Whole> | undefined {
  const names = (Object.keys(after) as (keyof Whole)[]).filter(
    (name) => JSON.stringify(before[name]) !== JSON.stringify(after[name]),
  )
  if (names.length === 0) return undefined
  return Object.fromEntries(names.map((name) => [name, after[name]])) as Partial<Whole>
}
