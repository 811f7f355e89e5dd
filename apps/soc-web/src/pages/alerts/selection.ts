/** Rows by id, or everything that matches but those: never a guess between the two. */
export type Selection =
  | { kind: 'ids'; ids: ReadonlySet<string> }
  | { kind: 'all'; except: ReadonlySet<string> }

export const NONE: Selection = { kind: 'ids', ids: new Set() }
/** This one row, or nothing where there is none. */
export const only = (id: string | undefined): Selection => (id ? toggled(NONE, id) : NONE)
export const ALL: Selection = { kind: 'all', except: new Set() }

const flipped = (set: ReadonlySet<string>, id: string) => {
  const next = new Set(set)
  if (!next.delete(id)) next.add(id)
  return next
}

export const toggled = (selection: Selection, id: string): Selection =>
  selection.kind === 'ids'
    ? { kind: 'ids', ids: flipped(selection.ids, id) }
    : { kind: 'all', except: flipped(selection.except, id) }

export const isSelected = (selection: Selection, id: string): boolean =>
  selection.kind === 'ids' ? selection.ids.has(id) : !selection.except.has(id)

export const sizeOf = (selection: Selection, total: number): number =>
  selection.kind === 'ids' ? selection.ids.size : Math.max(0, total - selection.except.size)
