import { storable } from '../../normalise/fields.ts'
import { eventIdOf, isEventId } from '../../normalise/take-common.ts'
import { objectAt } from '../native/json-pieces.ts'
import { type Span, splitLines } from '../native/split-json.ts'
import { INDEX, withoutEnd } from '../other-index.ts'
import type { Piece } from '../piece.ts'
import type { Part } from '../read/part.ts'

/**
 * A line says what to do, the next one holds the document; `delete` has none. What was to be done
 * is added to `kinds`, since the answers are named after it.
 */
export function* bulkPieces(
  body: Buffer,
  defaultIndex: string | undefined,
  kinds: string[],
): Iterable<Piece> {
  const lines = splitLines(body)
  for (const line of lines) {
    const action = actionAt(body, line)
    kinds.push(action?.kind ?? 'create')
    if (!action) yield { rejected: 'malformed action: send {"create":{}} before each document' }
    else if (action.kind === 'delete') yield { rejected: `delete ${NOT_POSSIBLE}` }
    else {
      const { value: document, done } = lines.next()
      if (action.kind === 'update') yield { rejected: `update ${NOT_POSSIBLE}` }
      else if (done) yield { rejected: 'the document after the last action is missing' }
      else yield documentAt(body, document, action, defaultIndex)
    }
  }
}

const NOT_POSSIBLE = 'is not possible: events are only added'

type Action = { kind: string; id: string | undefined; index: string | undefined }

function actionAt(body: Buffer, span: Span): Action | undefined {
  const line = objectAt(body, span)
  if ('rejected' in line) return undefined
  const [kind = '', about] = Object.entries(line.object)[0] ?? []
  if (!['index', 'create', 'update', 'delete'].includes(kind)) return undefined
  const { _id, _index } = (about ?? {}) as Record<string, unknown>
  return {
    kind,
    id: eventIdOf(_id),
    index: typeof _index === 'string' && _index !== '' ? _index : undefined,
  }
}

function documentAt(
  body: Buffer,
  span: Span,
  action: Action,
  defaultIndex: string | undefined,
): Piece {
  const found = objectAt(body, span)
  if ('rejected' in found) return found
  const line = { ...found, opensFields: true }
  const index = action.index ?? defaultIndex
  const { id } = action
  const known = id === undefined ? {} : { id }
  if (index === undefined) return { ...line, known }
  const source = sourceOf(index)
  if (id === undefined && source === index) return { ...line, known, index }
  return { ...line, known, index: source, facts: { [INDEX]: storable(index) } }
}

// `-2026.11.17`, `-2026.11`, `-2026.w46`, `-2026.11.17-05`, `-20261117`, `-000001`; `-2022` alone may be a version.
const DATED = /(?:[-_.](?:20\d\d(?:[-_.]?w?\d\d){1,3}|0\d{5}))+$/i

/** An index that is new every day is one source: it has one rhythm, and its limits hold for all of it. */
const sourceOf = (index: string) => withoutEnd(index, DATED) || index

/** A document alone, with its id and index in the path. */
export function* documentPieces(
  body: Buffer,
  { index, id }: { index: string; id: string | undefined },
): Iterable<Piece> {
  if (id !== undefined && !isEventId(id)) {
    yield { rejected: '_id: must have at most 512 characters', field: '_id' }
    return
  }
  yield documentAt(body, [0, body.length], { kind: 'create', id, index }, undefined)
}

/** One answer a document, in their order. */
export function itemsOf({ named, rejections, kinds, from }: Part, index = 'logs'): object[] {
  let [logAt, rejectionAt] = [0, 0]
  return kinds.map((kind, at) => {
    const rejection = rejections[rejectionAt]
    if (rejection?.index === from + at) {
      rejectionAt += 1
      const error = { type: 'document_parsing_exception', reason: rejection.message }
      return { [kind]: { _index: index, status: 400, error } }
    }
    const stored = named[logAt]
    logAt += 1
    return { [kind]: { _index: stored?.index, _id: stored?.id, result: 'created', status: 201 } }
  })
}
