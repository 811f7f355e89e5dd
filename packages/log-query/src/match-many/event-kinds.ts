import type { Query } from '../ast.ts'
import { type EventView, foldedAt, type TextLocation } from '../event-view.ts'
import { textLocation } from './source-fields.ts'
import { wholeText } from './source-of.ts'

const ABSENT = 0
const OTHER = 1

/**
 * Events by what they have in the fields that tell their source. All texts that no rule asks for are
 * one and the same, so there are never more kinds than rules can tell apart.
 */
export function createEventKinds(fields: TextLocation[]) {
  const telling = fields.map((location) => ({ location, ids: new Map<string, number>() }))

  /** A query that `sourceOf` gave: from now on events are told apart by its texts. */
  function learn(source: Query) {
    if (source.kind === 'not') learn(source.query)
    if (source.kind === 'and' || source.kind === 'or') source.queries.forEach(learn)
    if (source.kind !== 'field') return
    const text = wholeText(source.match)
    const key = textLocation(source.field)?.key
    const ids = telling.find(({ location }) => location.key === key)?.ids
    if (ids && text !== undefined && !ids.has(text)) ids.set(text, ids.size + OTHER + 1)
  }

  return {
    learn,
    /** Undefined when it has a list where others have one text. */
    kindOf(view: EventView): number | undefined {
      let kind = 0
      for (const { location, ids } of telling) {
        const texts = foldedAt(view, location)
        if (typeof texts === 'object' && texts !== null) return undefined
        const id = texts === null ? ABSENT : (ids.get(texts) ?? OTHER)
        kind = kind * (ids.size + 2) + id
      }
      return kind
    },
  }
}

export type EventKinds = ReturnType<typeof createEventKinds>
