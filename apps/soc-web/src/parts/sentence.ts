const UUID = '[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}'
const MARKS = new RegExp(
  `\\b([a-z]+)[ :](${UUID})\\b|\\b(playbook):([\\w-]+)|\\b(\\d{4}-\\d\\d-\\d\\dT[\\d:.]+Z)`,
  'g',
)

const ID = new RegExp(`^${UUID}$`)
export const isId = (value: unknown): boolean => typeof value === 'string' && ID.test(value)

export type Piece = string | { kind: string; id: string } | { at: string }

/** Who did something, where there is no room for a link: `agent CaseKeeper`. */
export const personIn = (username: string) => username.replace(/^(agent|playbook):/, '$1 ')

/** A sentence of the service, taken apart: records that it names by their ids, times, and words. */
export function piecesOf(text: string): Piece[] {
  const pieces: Piece[] = []
  let from = 0
  const words = (end?: number) => text.slice(from, end).replace(/\bagent:(?=\w)/g, 'agent ')
  for (const mark of text.matchAll(MARKS)) {
    const [whole, named, uuid, playbook, slug, at] = mark
    const before = words(mark.index)
    from = mark.index + whole.length
    if (at) pieces.push(before, { at })
    else {
      const kind = named ?? playbook ?? ''
      pieces.push(`${before}${kind} `, { kind, id: uuid ?? slug ?? '' })
    }
  }
  return [...pieces, words()].filter((piece) => piece !== '')
}
