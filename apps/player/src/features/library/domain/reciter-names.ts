import { placeOf, ROOT } from './card-folder.ts'

// Surahs that lie on the card outside any folder.
const ROOT_NAME = 'Card'

/**
 * A reciter is called what its folder is called. Namesakes get as much of where they lie as it takes
 * to tell them apart: `Husary (Hafs)` and `Husary (Warsh)`.
 */
export function reciterNames(paths: readonly string[]): Map<string, string> {
  const ancestors = new Map(paths.toSorted().map((path) => [path, 0]))
  for (;;) {
    const vague = [...groupedByName(ancestors).values()]
      .filter((namesakes) => namesakes.length > 1)
      .flat()
      .filter((path) => (ancestors.get(path) ?? 0) < ancestorCount(path))
    if (vague.length === 0) break
    for (const path of vague) ancestors.set(path, (ancestors.get(path) ?? 0) + 1)
  }
  return numbered(groupedByName(ancestors))
}

function groupedByName(ancestors: Map<string, number>): Map<string, string[]> {
  return Map.groupBy(ancestors.keys(), (path) => nameWith(path, ancestors.get(path) ?? 0))
}

function nameWith(path: string, ancestors: number): string {
  if (path === ROOT) return ROOT_NAME
  const segments = path.split('/')
  // Composed, since a Mac writes decomposed names and clients send what a keyboard gives; and without
  // the space in front by which a folder is sorted first, since no favorite or card would keep it.
  const folder = (segments.at(-1) ?? path).normalize('NFC')
  const name = folder.trim() || folder
  if (ancestors === 0) return name
  return `${name} (${segments
    .slice(-1 - ancestors, -1)
    .join('/')
    .normalize('NFC')})`
}

const ancestorCount = (path: string) => path.split('/').length - 1

// What is left are folders such as `Card` beside surahs at the root: path order numbers them.
function numbered(groups: Map<string, string[]>): Map<string, string> {
  const names = new Map<string, string>()
  const taken = new Set(groups.keys())
  for (const [name, paths] of groups) {
    const inOrder = paths.toSorted((a, b) => Number(isPadded(a)) - Number(isPadded(b)))
    for (const [index, path] of inOrder.entries()) {
      names.set(path, index === 0 ? name : freeName(name, taken))
    }
  }
  return names
}

/** Whoever has the name without spaces around it keeps it: favorites and cards go by it. */
function isPadded(path: string): boolean {
  const [, folder] = placeOf(path)
  return folder !== folder.trim()
}

function freeName(name: string, taken: Set<string>): string {
  let number = 2
  while (taken.has(`${name} (${number})`)) number += 1
  const free = `${name} (${number})`
  taken.add(free)
  return free
}
