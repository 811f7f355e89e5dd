import { type EventView, joinedTexts, someText, type TextLocation, textsAt } from '../event-view.ts'
import type { Commonness } from './grams.ts'
import { textLocation } from './source-fields.ts'
import { createTextIndex, type TextIndex } from './text-index.ts'
import type { Watched } from './triggers.ts'

/** Who waits for which trigger, and who is waiting for something in this event. */
export type RuleIndex<T> = {
  add(rule: T): void
  remove(rule: T): void
  /** Calls `found` with every rule that may match, with some more than once. */
  search(view: EventView, found: (rule: T) => void): void
}

/** Without a trigger a rule is always to be tried. */
export type Triggered = { triggers: Watched[] }

type FieldIndex<T> = { location: TextLocation; texts: TextIndex<T>; present: Set<T> }

export function createRuleIndex<T extends Triggered>(commonness: Commonness): RuleIndex<T> {
  const columns = new Map<string, FieldIndex<T>>()
  const fields = new Map<string, FieldIndex<T>>()
  const anywhere = createTextIndex<T>(commonness)
  const always = new Set<T>()

  const fieldIndex = (field: string): FieldIndex<T> => {
    const location = textLocation(field)
    if (!location) throw new Error('a moment has no text to look for')
    const isColumn = location.kind === 'column'
    const name = isColumn ? location.column : location.name
    return taken(isColumn ? columns : fields, name, () => ({
      location,
      texts: createTextIndex(commonness),
      present: new Set(),
    }))
  }
  const textsOf = (field: string | undefined): TextIndex<T> =>
    field === undefined ? anywhere : fieldIndex(field).texts

  return {
    add(rule) {
      if (rule.triggers.length === 0) always.add(rule)
      for (const trigger of rule.triggers) {
        if ('field' in trigger) fieldIndex(trigger.field).present.add(rule)
        else textsOf(trigger.literal.field).add(trigger.literal, rule)
      }
    },
    remove(rule) {
      always.delete(rule)
      for (const trigger of rule.triggers) {
        if ('field' in trigger) fieldIndex(trigger.field).present.delete(rule)
        else textsOf(trigger.literal.field).remove(trigger.literal, rule)
      }
    },
    search(view, found) {
      always.forEach(found)
      for (const index of columns.values()) searchField(index, view, found)
      if (fields.size > 0) {
        for (const name in view.log.fields) searchField(fields.get(name), view, found)
      }
      // All texts as one: what is found across two of them is only tried in vain.
      if (anywhere.size > 0 && someText(view, anywhere.mayFindIn)) {
        anywhere.search(joinedTexts(view), found)
      }
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

function searchField<T>(
  index: FieldIndex<T> | undefined,
  view: EventView,
  found: (rule: T) => void,
) {
  if (!index) return
  const texts = textsAt(view, index.location)
  if (texts === null) return
  if (typeof texts === 'string') index.texts.search(texts, found)
  else for (const text of texts) index.texts.search(text, found)
  // As `exists` means it: an empty list is nothing.
  if (typeof texts === 'string' || texts.length > 0) index.present.forEach(found)
}
