import type { Query } from '../ast.ts'
import { type EventView, type TextLocation, textsAt } from '../event-view.ts'
import { fold } from '../fold.ts'
import { textLocation } from './source-fields.ts'
import { wholeText } from './source-of.ts'

const ABSENT = 0
const OTHER = 1
const MOST_MET = 1_000
const LONGEST_MET = 100

/**
 * Events by what they have in the fields that tell their source. All texts that no rule asks for are
 * one and the same, so there are never more kinds than rules can tell apart.
 */
export function createEventKinds(fields: TextLocation[]) {
  const telling = fields.map((location) => ({
    location,
    ids: new Map<string, number>(),
    /** The same by texts as events have them. */
    met: new Map<string, number>(),
  }))

  /** A query that `sourceOf` gave: from now on events are told apart by its texts. */
  function learn(source: Query) {
    if (source.kind === 'not') learn(source.query)
    if (source.kind === 'and' || source.kind === 'or') source.queries.forEach(learn)
    if (source.kind !== 'field') return
    const text = wholeText(source.match)
    const key = textLocation(source.field)?.key
    const { ids, met } = telling.find(({ location }) => location.key === key) ?? {}
    if (!ids || text === undefined || ids.has(text)) return
    ids.set(text, ids.size + OTHER + 1)
    met?.clear()
  }

  function idOf(text: string, { ids, met }: (typeof telling)[number]): number {
    const known = met.get(text)
    if (known !== undefined) return known
    const id = ids.get(fold(text)) ?? OTHER
    if (text.length > LONGEST_MET) return id
    if (met.size >= MOST_MET) met.clear()
    met.set(text, id)
    return id
  }

  return {
    learn,
    /** Undefined when it has a list where others have one text. */
    kindOf(view: EventView): number | undefined {
      let kind = 0
      for (const one of telling) {
        const texts = textsAt(view, one.location)
        if (typeof texts === 'object' && texts !== null) return undefined
        const id = texts === null ? ABSENT : idOf(texts, one)
        kind = kind * (one.ids.size + 2) + id
      }
      return kind
    },
  }
}

export type EventKinds = ReturnType<typeof createEventKinds>
