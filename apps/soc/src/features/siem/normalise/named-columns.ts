import { NAMES, SEVERITY_NAMES } from './common-names.ts'
import type { Fields } from './fields.ts'

type Column = keyof typeof NAMES | 'severity'
/** Which of an event's names may say what a column holds, the best first. */
export type NamedColumns = { readonly [name in Column]?: string[] }

const RANKS = new Map<string, [column: Column, rank: number][]>()
for (const [column, names] of [
  ...Object.entries(NAMES),
  ['severity', SEVERITY_NAMES.map(([name]) => name)] as const,
]) {
  names.forEach((name, rank) => {
    RANKS.set(name, [...(RANKS.get(name) ?? []), [column as Column, rank]])
  })
}
const rankOf = (name: string, column: Column) =>
  RANKS.get(name)?.find(([of]) => of === column)?.[1] ?? 0

/** One pass over the event: it has few names, and columns may have many. */
export function namedColumns(fields: Fields): NamedColumns {
  const found: { [name in Column]?: string[] } = {}
  for (const name in fields) {
    const places = RANKS.get(name)
    if (!places) continue
    for (const [column] of places) {
      const names = found[column]
      if (!names) found[column] = [name]
      else {
        names.push(name)
        names.sort((one, other) => rankOf(one, column) - rankOf(other, column))
      }
    }
  }
  return found
}
