import { COMMON_FIELDS, locate } from '../event.ts'
import { allFolded, type EventView, foldedAt, type TextLocation } from '../event-view.ts'
import { createTextIndex, type TextIndex } from './text-index.ts'
import type { Watched } from './triggers.ts'

/** Who waits for which trigger, and who is waiting for something in this event. */
export type RuleIndex<T extends Barred> = {
  add(trigger: Watched, rule: T): void
  remove(trigger: Watched, rule: T): void
  search(view: EventView, found: (rule: T) => void): void
}

export type Barred = {
  /** An event that has all of these is not looked at for literals that may stand anywhere. */
  barred: string[] | undefined
}

type FieldIndex<T> = { location: TextLocation; texts: TextIndex<T>; present: Set<T> }
type AnywhereIndex<T> = { barred: TextLocation[]; texts: TextIndex<T> }

export function createRuleIndex<T extends Barred>(): RuleIndex<T> {
  const columns = new Map<string, FieldIndex<T>>()
  const fields = new Map<string, FieldIndex<T>>()
  const anywhere = new Map<string, AnywhereIndex<T>>()

  const fieldIndex = (field: string): FieldIndex<T> => {
    const location = textLocation(field)
    const isColumn = location.kind === 'column'
    const name = isColumn ? location.column : location.name
    return taken(isColumn ? columns : fields, name, () => ({
      location,
      texts: createTextIndex(),
      present: new Set(),
    }))
  }
  const anywhereIndex = (barred: string[]): AnywhereIndex<T> =>
    taken(anywhere, JSON.stringify(barred), () => ({
      barred: barred.map(textLocation),
      texts: createTextIndex(),
    }))
  const textsFor = (field: string | undefined, rule: T): TextIndex<T> =>
    field === undefined ? anywhereIndex(rule.barred ?? []).texts : fieldIndex(field).texts

  return {
    add(trigger, rule) {
      if ('field' in trigger) fieldIndex(trigger.field).present.add(rule)
      else textsFor(trigger.literal.field, rule).add(trigger.literal, rule)
    },
    remove(trigger, rule) {
      if ('field' in trigger) fieldIndex(trigger.field).present.delete(rule)
      else textsFor(trigger.literal.field, rule).remove(trigger.literal, rule)
    },
    search(view, found) {
      for (const name of COMMON_FIELDS) searchField(columns.get(name), view, found)
      for (const name in view.log.fields) searchField(fields.get(name), view, found)
      for (const index of anywhere.values()) searchAnywhere(index, view, found)
    },
  }
}

function taken<K, V>(map: Map<K, V>, key: K, make: () => V): V {
  const known = map.get(key)
  if (known) return known
  const made = make()
  map.set(key, made)
  return made
}

function textLocation(field: string): TextLocation {
  const location = locate(field)
  if (location.kind === 'timestamp') throw new Error('a moment has no text to look for')
  return location
}

function searchField<T>(
  index: FieldIndex<T> | undefined,
  view: EventView,
  found: (rule: T) => void,
) {
  if (!index) return
  const texts = foldedAt(view, index.location)
  if (texts === null) return
  if (typeof texts === 'string') index.texts.search(texts, found)
  else for (const text of texts) index.texts.search(text, found)
  if (index.present.size > 0 && isPresent(view, index.location)) index.present.forEach(found)
}

function searchAnywhere<T>(
  { barred, texts }: AnywhereIndex<T>,
  view: EventView,
  found: (rule: T) => void,
) {
  if (texts.size === 0) return
  if (barred.length > 0 && barred.every((location) => isPresent(view, location))) return
  const all = allFolded(view)
  const longest = all.reduce((a, b) => (b.length > a.length ? b : a), '')
  texts.search(longest, found)
  // The message is often there twice: as the column and as the field it came in.
  for (const text of all) if (text !== longest) texts.search(text, found)
}

/** As `exists` means it: an empty list is nothing. */
function isPresent(view: EventView, location: TextLocation): boolean {
  const texts = foldedAt(view, location)
  return texts !== null && (typeof texts === 'string' || texts.length > 0)
}
